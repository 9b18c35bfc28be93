/** Which entries are tested together, and what their runs say of them. */
import { expect, it } from "vitest";
import type { CheckOutcome } from "@forgeline/server/domains/hosting/domain.ts";
import {
  batchSize,
  judgeTested,
  nextBatchSize,
  soundBatches,
  stepAfter,
  type QueueRun,
  type Tested,
  type Verdict,
} from "@forgeline/server/domains/collaboration/merge-queue/batch-plan.ts";

const entries = (text: string) => text.split("").map((letter) => ({ suspect: letter === "s" }));

it.each([
  ["", 5, 0],
  [".", 5, 1],
  ["...", 5, 3],
  [".......", 5, 5],
  ["s", 5, 1],
  ["ss", 5, 1],
  ["sss", 5, 1],
  ["ssss...", 5, 2],
  ["s....", 5, 1],
  ["..ss", 5, 2],
  ["ssssssssss", 2, 2],
])("of %j, with at most %i together, %i are tested", (text, max, size) => {
  expect(batchSize(entries(text), max)).toBe(size);
});

/** Lands what is good, as the queue does; gives what landed, what left, and how often runs were made. */
function play(names: string, maxBatch: number) {
  let queue = names.split("").map((name) => ({ name, suspect: false }));
  const [landed, left]: [string[], string[]] = [[], []];
  let batches = 0;
  while (queue.length > 0) {
    batches += 1;
    const batch = queue.slice(0, batchSize(queue, maxBatch));
    const fails = batch.some(({ name }) => name === name.toUpperCase());
    if (fails && batch.length > 1) {
      queue = queue.map((entry) => ({ ...entry, suspect: batch.includes(entry) }));
      continue;
    }
    (fails ? left : landed).push(...batch.map(({ name }) => name));
    const rest = queue.slice(batch.length);
    queue = fails ? rest.map((entry) => ({ ...entry, suspect: false })) : rest;
  }
  return [landed.join(""), left.join(""), batches];
}

it.each([
  ["abc", 5, "abc", "", 1],
  ["aBc", 5, "ac", "B", 4],
  ["abcdeFgh", 8, "abcdegh", "F", 6],
  ["ABC", 5, "", "ABC", 5],
  ["aBc", 1, "ac", "B", 3],
])(
  "what fails leaves, and the rest lands in order: %s with %i together",
  (names, max, landed, left, batches) => {
    expect(play(names, max)).toEqual([landed, left, batches]);
  },
);

const run = (status: QueueRun["status"], number = 1): QueueRun => ({
  id: `pipe_${number}`,
  number,
  file: "ci.yml",
  status,
  reason: null,
});
const check = (state: CheckOutcome["state"]): CheckOutcome => ({
  check: { pipeline: "ci.yml" },
  state,
  run: null,
});
const tested = (change: Partial<Tested>) =>
  judgeTested({
    runs: [],
    runsMade: 0,
    checks: [],
    wantsRun: false,
    waitedMinutes: 1,
    maxWaitMinutes: 60,
    ...change,
  });

it.each<[string, Partial<Tested>, string]>([
  ["nothing runs", {}, "passed"],
  ["nothing runs, and a rule wants something", { wantsRun: true }, "failed"],
  ["all succeeded", { runs: [run("success"), run("skipped", 2)] }, "passed"],
  ["one was skipped by a message", { runs: [{ ...run("skipped"), reason: "skip_ci" }] }, "failed"],
  ["one goes on", { runs: [run("success"), run("running", 2)] }, "pending"],
  ["one has failed", { runs: [run("failed"), run("running", 2)] }, "failed"],
  ["one was cancelled", { runs: [run("cancelled")] }, "failed"],
  ["one is not there any more", { runs: [run("success")], runsMade: 2 }, "lost"],
  ["one goes on for too long", { runs: [run("running")], waitedMinutes: 60 }, "failed"],
  [
    "what is required passed",
    { runs: [run("failed"), run("running", 2)], checks: [check("passed")] },
    "passed",
  ],
  ["what is required was skipped", { runs: [run("success")], checks: [check("skipped")] }, "passed"],
  ["what is required goes on", { runs: [run("running")], checks: [check("running")] }, "pending"],
  ["what is required may still come", { runs: [run("running")], checks: [check("missing")] }, "pending"],
  ["what is required never was", { runs: [run("success")], checks: [check("missing")] }, "failed"],
  ["what is required has failed", { runs: [run("running")], checks: [check("failed")] }, "failed"],
])("%s", (_, facts, result) => {
  expect(tested(facts).result).toBe(result);
});

/** `ab|c`: two batches, each built on the one before it, on the tip `0`. */
const built = (text: string) =>
  text
    .split("|")
    .filter(Boolean)
    .map((names, index, all) => ({
      id: names,
      base_sha: index === 0 ? "0" : (all[index - 1] ?? ""),
      sha: names,
      size: names.length,
    }));

/** Each with the batch that has it; a capital letter is in none any more. */
const waiting = (names: string, batches: readonly { id: string }[]) =>
  names.split("").map((name) => ({
    batch_id: batches.find(({ id }) => id.includes(name))?.id ?? null,
    suspect: false,
  }));

it.each([
  ["ab|cd|e", "abcdef", "0", 3],
  ["ab|cd|e", "abcdef", "1", 0],
  ["ab|cd|e", "bcdef", "0", 0],
  ["ab|cd|e", "abdef", "0", 1],
  ["ab|cd|e", "abcdf", "0", 2],
  ["ab|cd|e", "fabcde", "0", 0],
  ["ab|cd|e", "abfcde", "0", 1],
  ["ab|cd", "cdab", "0", 0],
  ["", "ab", "0", 0],
])("of %j, with %j waiting and the branch at %s, %i still test what lands", (text, names, tip, count) => {
  const batches = built(text);
  expect(soundBatches(batches, { tip, entries: waiting(names, batches) })).toBe(count);
});

it("tests nothing on top of a batch that is built on another base", () => {
  const [first, second] = built("a|b");
  const batches = [first, second].flatMap((each) => (each ? [{ ...each, base_sha: "0" }] : []));
  expect(soundBatches(batches, { tip: "0", entries: waiting("ab", batches) })).toBe(1);
});

it.each([
  ["", "....", 1, 2],
  ["ab", "....", 1, 0],
  ["ab", "....", 2, 2],
  ["ab", "...", 2, 1],
  ["ab", "..", 2, 0],
  ["ab|cd", ".....", 2, 0],
  ["ab|cd", ".....", 3, 1],
  ["", "ss..", 3, 1],
  ["a", "ss..", 3, 0],
])("upon %j, of %j, with %i batches at once, %i are tested next", (text, all, parallel, size) => {
  const bounds = { max_batch: 2, parallel_batches: parallel };
  expect(nextBatchSize(built(text), entries(all), bounds)).toBe(size);
});

it.each([
  ["", { do: "make" }],
  ["p", { do: "land", batch: 0 }],
  ["f", { do: "fail", batch: 0, reason: "so" }],
  ["..", { do: "make" }],
  [".p", { do: "make" }],
  ["pf", { do: "land", batch: 0 }],
  ["fp", { do: "fail", batch: 0, reason: "so" }],
  [".f", undefined],
  [".f.", { do: "giveUp", batch: 2 }],
  ["..fp.", { do: "giveUp", batch: 3 }],
  ["l", { do: "giveUp", batch: 0 }],
  ["pl", { do: "land", batch: 0 }],
  [".fl", { do: "giveUp", batch: 2 }],
  [".lf", { do: "giveUp", batch: 1 }],
])("after the verdicts %j comes %j", (verdicts, step) => {
  const of: Record<string, Verdict> = {
    p: { result: "passed" },
    l: { result: "lost" },
    f: { result: "failed", reason: "so" },
  };
  const judged = verdicts
    .split("")
    .map((letter, batch) => ({ batch, verdict: of[letter] ?? { result: "pending" as const } }));
  expect(stepAfter(judged)).toEqual(step);
});
