/** The judge of fault tests must itself be able to find something: each promise, broken in one place. */
import { describe, expect, it } from "vitest";
import type { Pipeline, PipelineEventRecord } from "@forgeline/schemas/pipelines/resource.ts";
import type { Effect, EffectRecorder } from "../../../support/effect-recorder.ts";
import type { LinesRepository, LinesRun } from "../../../support/lines-pipeline.ts";
import { judgeLines, flawlessVerdict } from "../../../support/numbered-lines.ts";
import { judgeRun } from "../../../support/run-judge.ts";

const count = 5;
const run: LinesRun = { id: "pipe_1", number: 1, file: "single", count };
const line = (number: number) => `L 1 ${number} ${(number * 7919 + 104_729) % 65_521}\n`;
const lines = (...numbers: number[]) => numbers.map(line).join("");
const whole = lines(1, 2, 3, 4, 5);

interface Attempt {
  status: string;
  reason: string | null;
  logComplete: boolean;
  text: string;
  begins: number;
  ends: number;
}
const good: Attempt = { status: "success", reason: null, logComplete: true, text: whole, begins: 1, ends: 1 };
const lost: Attempt = {
  status: "error",
  reason: "runner_lost",
  logComplete: false,
  text: lines(1, 2),
  begins: 1,
  ends: 1,
};

/** What REST and the outside world would say of a run with these attempts. */
async function judged(attempts: readonly Attempt[], status = "success", mayLose = 0) {
  const job = {
    key: "only",
    attempts: attempts.map(({ status: ended, reason, logComplete }, index) => ({
      id: `att_${index + 1}`,
      attempt: index + 1,
      status: ended,
      reason,
      log_complete: logComplete,
    })),
  };
  const pipeline = { status, message: null, stages: [{ jobs: [job] }] } as unknown as Pipeline;
  const end = (node: string, node_id: string) => ({ node, node_id, new_status: "success" });
  const events = [
    end("pipeline", run.id),
    ...attempts.flatMap(({ ends }, index) =>
      Array.from({ length: ends }, () => end("attempt", `att_${index + 1}`)),
    ),
  ] as unknown as PipelineEventRecord[];
  const effects = attempts.flatMap(({ begins }, index) =>
    Array.from({ length: begins }, (): Effect => ({
      kind: "begin",
      pipelineId: run.id,
      job: "only",
      attempt: index + 1,
    })),
  );
  const repository: LinesRepository = {
    begin: () => Promise.resolve(run),
    newest: () => Promise.resolve(run),
    get: () => Promise.resolve(pipeline),
    events: () => Promise.resolve(events),
    log: (_run, _job, attempt = 1) => {
      const found = attempts[attempt - 1];
      return Promise.resolve(found ? { text: found.text, complete: found.logComplete } : null);
    },
    lastLine: () => Promise.resolve(0),
  };
  const recorder: EffectRecorder = {
    url: "",
    of: () => effects,
    all: () => effects,
    close: () => Promise.resolve(),
  };
  return judgeRun(repository, recorder, run, { mayLose });
}

describe("the judge of lines", () => {
  it.each([
    ["nothing", whole, {}],
    ["a missing line", lines(1, 2, 4, 5), { lines: 4, missing: 1 }],
    ["a doubled line", lines(1, 2, 2, 3, 4, 5), { lines: 6, doubled: 1 }],
    ["two lines in the wrong order", lines(1, 3, 2, 4, 5), { outOfOrder: 1 }],
    ["a glued line", whole.replace("\nL 1 3", "L 1 3"), { lines: 4, missing: 2, garbled: 1 }],
    ["something foreign", `${whole}boo\n`, { lines: 6, garbled: 1 }],
  ])("finds %s", (_, text, wrong) => {
    expect(judgeLines(text, 1, count)).toEqual({ ...flawlessVerdict(count), ...wrong });
  });
});

describe("the judge of runs", () => {
  it("has nothing to say of a good run, or of a loss that may be", async () => {
    expect((await judged([good])).problems).toEqual([]);
    expect((await judged([lost, good], "success", 1)).problems).toEqual([]);
  });

  it.each([
    ["another end of the run", [good], "failed"],
    ["an attempt that was lost and must not be", [lost, good], "success"],
    ["an attempt too many", [good, good], "success"],
    ["an attempt that failed", [{ ...good, status: "failed", reason: "exit:1" }], "success"],
    ["two ends", [{ ...good, ends: 2 }], "success"],
    ["no end", [{ ...good, ends: 0 }], "success"],
    ["two starts", [{ ...good, begins: 2 }], "success"],
    ["a success that never began", [{ ...good, begins: 0 }], "success"],
    ["a short log", [{ ...good, text: lines(1, 2, 3, 4) }], "success"],
    ["a whole log shown as incomplete", [{ ...good, logComplete: false }], "success"],
  ] satisfies [string, Attempt[], string][])("finds %s", async (_, attempts, status) => {
    expect((await judged(attempts, status)).problems).not.toEqual([]);
  });

  it.each([
    ["is shown as complete", { ...lost, logComplete: true }],
    ["has a hole", { ...lost, text: lines(1, 3) }],
    ["has a line twice", { ...lost, text: lines(1, 1, 2) }],
  ])("finds that the log of a lost attempt %s", async (_, attempt) => {
    expect((await judged([attempt, good], "success", 1)).problems).not.toEqual([]);
  });
});
