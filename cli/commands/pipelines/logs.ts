/** `forgeline pipeline logs`: the log of a run, whole or a part, now or as it grows. */
import { Command } from "commander";
import { colors } from "../../output/colors.ts";
import { runNotFoundText } from "../../connection/repository.ts";
import { openStream } from "../../connection/stream.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { parseCount } from "../../options/count.ts";
import { createLineSplitter, type LineSplitter } from "../../output/line-splitter.ts";
import { printStream } from "../../output/print-stream.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { exitStatusOf, watchRun } from "./follow.ts";

interface LogFlags {
  follow?: boolean;
  job?: string;
  step?: string;
  attempt?: number;
  tail?: number;
}

export function logsCommand(): Command {
  return new Command("logs")
    .description("Show the log of a run, stage by stage")
    .argument("<run>", "number or id")
    .option("-f, --follow", "keep printing until the run ends; exit with its result")
    .option("--job <job>", "only this job: its key, id or name; a key is all combinations of a matrix")
    .option("--step <step>", "only this step: its name or its position from 0; setup; or a service")
    .option("--attempt <number>", "this attempt instead of the newest", parseCount)
    .option("--tail <lines>", "only the last lines", parseCount)
    .action(async (id: string, flags: LogFlags, command: Command) => {
      const context = await contextOf(command);
      if (flags.follow) process.exitCode = await followText(context, id, flags);
      else await download(context, id, flags);
    });
}

async function followText(context: CliContext, id: string, flags: LogFlags): Promise<number> {
  const splitters = new Map<string, LineSplitter>();
  const { job, step, attempt } = flags;
  const filter = {
    ...(job === undefined ? {} : { job }),
    ...(step === undefined ? {} : { step }),
    ...(attempt === undefined ? {} : { attempt }),
  };
  const result = await watchRun(
    context,
    { pipeline: id, filter },
    {
      onStream(stream) {
        const { jobId, jobLabel } = stream;
        const isNamed = job !== undefined && [jobId, jobLabel].includes(job);
        const prefix = isNamed ? "" : `${colors.dim(`[${terminalSafe(jobLabel)}]`)} `;
        const show = (line: string) =>
          process.stdout.write(`${prefix}${process.stdout.isTTY ? terminalSafe(line) : line}\n`);
        splitters.set(stream.id, createLineSplitter(show));
      },
      onBytes: (stream, bytes) => splitters.get(stream.id)?.push(bytes),
      onStreamEnd: (stream) => splitters.get(stream.id)?.end(),
    },
  );
  return exitStatusOf(result.status);
}

async function download(context: CliContext, id: string, flags: LogFlags): Promise<void> {
  const { owner, repo } = await context.repository();
  const given = (["job", "step", "attempt", "tail"] as const).flatMap((name) =>
    flags[name] === undefined ? [] : [[name, String(flags[name])]],
  );
  const request = {
    path: `/repos/${[owner, repo].map(encodeURIComponent).join("/")}/pipelines/${encodeURIComponent(id)}/logs`,
    query: Object.fromEntries(given) as Record<string, string>,
    accept: context.flags.json ? "application/x-ndjson" : "text/plain",
  };
  await printStream(await openStream(context.connection, request, runNotFoundText({ owner, repo }, id)));
}
