/** Shows a local run as a run of a server is shown, and stops it as a cancel would when somebody presses Ctrl-C. */
import { colors, errorColors } from "../../output/colors.ts";
import { createLineSplitter } from "../../output/line-splitter.ts";
import { whenReaderGone } from "../../output/reader-gone.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { renderOutcome } from "../../output/run-summary.ts";
import { shortId, shortRef } from "../../output/style.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { createWatchView } from "../../output/watch-view.ts";
import type { Execution, ExecHandlers, JobReports } from "./load.ts";
import { renderReports } from "./reports-view.ts";

type Run = Execution["run"];

export interface Shown {
  logs: boolean;
  /** Lines of JSON: each change of a status, each line of a log, what each job reported, and the run as it ended. */
  json: boolean;
}

/** How it ended. */
export async function followHere(execution: Execution, { logs, json }: Shown): Promise<Run> {
  const release = stopOnSignals(execution);
  try {
    return await (json ? followAsJson(execution, logs) : followAsText(execution, logs));
  } finally {
    release();
  }
}

async function followAsText(execution: Execution, logs: boolean): Promise<Run> {
  process.stdout.write(`${heading(execution.run)}\n`);
  const view = createWatchView({ logs, jobs: execution.labels, out: process.stdout });
  try {
    const run = await execution.carryOut({
      onStatus: (change) => view.onStatus?.(change),
      onStream: (stream) => view.onStream?.(stream),
      onBytes: (stream, bytes) => view.onBytes?.(stream, bytes, { offset: 0, timeRuns: [] }),
      onStreamEnd: (stream, end) => view.onStreamEnd?.(stream, end),
      onNote: note,
    });
    view.close();
    // Its optional parts are never there without a value, which their types do not say.
    const outcome = renderOutcome(titleOf(run), run as Schemas["Pipeline"], () => []);
    const reported = renderReports(execution.reports(), (test) => execution.placeOf(test));
    process.stdout.write(`${[outcome, ...reported].join("\n")}\n`);
    return run;
  } finally {
    view.close();
  }
}

async function followAsJson(execution: Execution, logs: boolean): Promise<Run> {
  const print = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
  const run = await execution.carryOut({
    onStatus: print,
    ...(logs ? jsonLines(print) : { onStream: () => {}, onBytes: () => {}, onStreamEnd: () => {} }),
    onNote: note,
  });
  for (const reports of execution.reports()) print(jsonReports(reports));
  print(run);
  return run;
}

/** As `pipeline logs --json` has them, but for their place in the stream. */
function jsonLines(
  print: (line: unknown) => void,
): Pick<ExecHandlers, "onStream" | "onBytes" | "onStreamEnd"> {
  const open = new Map<
    string,
    { push: (bytes: Uint8Array, timeMs: number | null) => void; end: () => void }
  >();
  return {
    onStream(stream) {
      let number = 0;
      let time: string | null = null;
      const splitter = createLineSplitter((text) => {
        number += 1;
        const { id: stream_id, stage, job, jobId: job_id, attempt, name: step } = stream;
        print({ stream_id, stage, job, job_id, attempt, step, number, time, text });
      });
      open.set(stream.id, {
        push(bytes, timeMs) {
          if (timeMs !== null) time = new Date(timeMs).toISOString();
          splitter.push(bytes);
        },
        end: () => splitter.end(),
      });
    },
    onBytes: (stream, bytes, timeMs) => open.get(stream.id)?.push(bytes, timeMs),
    onStreamEnd(stream) {
      open.get(stream.id)?.end();
      open.delete(stream.id);
    },
  };
}

function jsonReports({ job, label, summary, annotations, tests, coverage, problems }: JobReports) {
  const named = annotations.map(({ endLine, ...rest }) => ({ ...rest, end_line: endLine }));
  const timed = tests.map(({ durationMs, ...rest }) => ({ ...rest, duration_ms: durationMs }));
  return {
    reports: { job, job_label: label, summary, annotations: named, tests: timed, coverage, problems },
  };
}

function titleOf({ pipeline }: Run): string {
  return terminalSafe(pipeline);
}

function heading(run: Run): string {
  const commit = /^0+$/.test(run.sha) ? "nothing committed" : shortId(run.sha);
  const message = terminalSafe(run.commit.message.split("\n")[0] ?? "");
  return `${colors.bold(titleOf(run))}  ${run.source} of ${shortRef(run.ref)} ${colors.dim(commit)}  ${message}\n`;
}

function note(line: string): void {
  process.stderr.write(`${errorColors.dim(terminalSafe(line))}\n`);
}

/** The first asks all jobs to stop, the next also what runs `always`. What was made is removed in any case. */
function stopOnSignals(execution: Execution): () => void {
  let isAsked = false;
  const stop = () => {
    note(
      isAsked
        ? "Stopping without waiting for steps that run always; removing containers"
        : "Stopping: jobs have 10 s to end. Press Ctrl-C again to leave out steps that run always",
    );
    isAsked = true;
    execution.cancel();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, stop);
  whenReaderGone(() => {
    execution.cancel();
    execution.cancel();
  });
  return () => {
    for (const signal of signals) process.off(signal, stop);
  };
}
