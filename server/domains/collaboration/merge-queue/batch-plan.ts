/** Which entries of a queue are tested together, and what their runs say. Pure. */
import { isFinal, type Status } from "@forgeline/schemas/pipelines/status.ts";
import { isPassed, nameOfCheck, type CheckOutcome } from "../../hosting/domain.ts";

/**
 * How many from the front: as many as may be, but of those that failed together half, until the one is found that does not go with
 * what is before it.
 */
export function batchSize(entries: readonly { suspect: boolean }[], maxBatch: number): number {
  const isSuspect = entries[0]?.suspect ?? false;
  const end = entries.findIndex(({ suspect }) => suspect !== isSuspect);
  const alike = end === -1 ? entries.length : end;
  return Math.min(maxBatch, isSuspect ? Math.max(1, Math.floor(alike / 2)) : alike);
}

interface Waiting {
  batch_id: string | null;
  suspect: boolean;
}

interface PlannedBatch {
  id: string;
  base_sha: string;
  sha: string;
  size: number;
}

/**
 * How many batches, from the first one on, still test what the branch becomes: each on top of the one before it, complete, and with
 * nothing in between. What was built on another one tests nothing that lands.
 */
export function soundBatches(
  batches: readonly PlannedBatch[],
  { tip, entries }: { tip: string; entries: readonly Waiting[] },
): number {
  let [base, start] = [tip, 0];
  for (const [index, { id, base_sha: builtOn, sha, size }] of batches.entries()) {
    const members = entries.slice(start, start + size);
    const isWhole = members.length === size && members.every(({ batch_id: of }) => of === id);
    if (builtOn !== base || !isWhole) return index;
    [base, start] = [sha, start + size];
  }
  return batches.length;
}

/**
 * How many of those that no batch has are tested next, on top of what is tested already. While the one that failed is looked for,
 * nothing is: most of it would be thrown away.
 */
export function nextBatchSize(
  batches: readonly { size: number }[],
  entries: readonly { suspect: boolean }[],
  bounds: { max_batch: number; parallel_batches: number },
): number {
  const isSearching = entries[0]?.suspect ?? false;
  if (batches.length >= (isSearching ? 1 : bounds.parallel_batches)) return 0;
  return batchSize(entries.slice(takenBy(batches)), bounds.max_batch);
}

/** Entries from the front that are in batches. */
export function takenBy(batches: readonly { size: number }[]): number {
  return batches.reduce((sum, { size }) => sum + size, 0);
}

export type NextStep<B> =
  | { do: "land"; batch: B }
  | { do: "fail"; batch: B; reason: string }
  | { do: "giveUp"; batch: B }
  | { do: "make" };

/**
 * What follows from the verdicts on batches that are sound, in their order. Only the first one lands or is split: that a later one
 * failed may be the fault of what it was built on. Until that is known, nothing is tested on top of it.
 */
export function stepAfter<B>(judged: readonly { batch: B; verdict: Verdict }[]): NextStep<B> | undefined {
  const [first] = judged;
  if (!first) return { do: "make" };
  if (first.verdict.result === "passed") return { do: "land", batch: first.batch };
  if (first.verdict.result === "failed")
    return { do: "fail", batch: first.batch, reason: first.verdict.reason };
  const failing = judged.findIndex(({ verdict }) => verdict.result === "failed");
  const lost = judged.find(({ verdict }) => verdict.result === "lost");
  if (lost) return { do: "giveUp", batch: lost.batch };
  if (failing === -1) return { do: "make" };
  const useless = judged[failing + 1];
  return useless && { do: "giveUp", batch: useless.batch };
}

export interface QueueRun {
  id: string;
  number: number;
  file: string;
  status: Status;
  reason: string | null;
}

/** `lost`: nobody knows any more. */
export type Verdict =
  | { result: "pending" }
  | { result: "passed" }
  | { result: "lost" }
  | { result: "failed"; reason: string };

export interface Tested {
  /** Those that are still there. */
  runs: readonly QueueRun[];
  /** How many were made. */
  runsMade: number;
  /** What the rules name, at the tested commit; empty: all runs have to succeed. */
  checks: readonly CheckOutcome[];
  /** A rule asks for any run that succeeds. */
  wantsRun: boolean;
  waitedMinutes: number;
  maxWaitMinutes: number;
}

export function judgeTested(tested: Tested): Verdict {
  // Old runs are removed: in a queue that was paused for days, what is gone may have failed.
  if (tested.runs.length < tested.runsMade) return { result: "lost" };
  const reason = failureOf(tested);
  if (reason !== undefined) return { result: "failed", reason };
  if (isComplete(tested)) return { result: "passed" };
  if (tested.waitedMinutes < tested.maxWaitMinutes) return { result: "pending" };
  const minutes = `${tested.maxWaitMinutes} minute${tested.maxWaitMinutes === 1 ? "" : "s"}`;
  return { result: "failed", reason: `Its runs took longer than ${minutes}${named(tested.runs)}.` };
}

function failureOf({ runs, checks, wantsRun }: Tested): string | undefined {
  const isOver = runs.every(({ status }) => isFinal(status));
  const failing = checks.find(({ state }) => state === "failed" || (state === "missing" && isOver));
  if (failing) {
    const said = failing.state === "missing" ? "has not run" : "has not passed";
    const { run } = failing;
    const at = run ? ` (run #${run.number})` : "";
    return `${nameOfCheck(failing.check)} ${said} for what the branch would become${at}.`;
  }
  if (checks.length > 0) return undefined;
  const failed = runs.find(({ status, reason }) => isFinal(status) && !isGood(status, reason));
  if (failed)
    return `${failed.file} has not passed for what the branch would become (run #${failed.number}).`;
  const lacksRun = wantsRun && isOver && !runs.some(({ status, reason }) => isGood(status, reason));
  return lacksRun
    ? "A rule asks for a run that succeeds, and no pipeline file runs for the merge queue."
    : undefined;
}

function isComplete({ runs, checks, wantsRun }: Tested): boolean {
  const areOver = runs.every(({ status }) => isFinal(status));
  if (checks.length === 0) return areOver;
  return checks.every(isPassed) && (!wantsRun || areOver || runs.some(({ status }) => status === "success"));
}

/** What a message asked to skip has tested nothing. */
const isGood = (status: Status, reason: string | null) =>
  status === "success" || (status === "skipped" && reason !== "skip_ci");

function named(runs: readonly QueueRun[]): string {
  const open = runs.filter(({ status }) => !isFinal(status)).map(({ number }) => `#${number}`);
  return open.length === 0 ? "" : ` (run ${open.join(", ")})`;
}
