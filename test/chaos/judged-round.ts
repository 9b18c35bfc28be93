/** Makes a round of a judged run: one naming of the properties for all scenarios that run numbered lines. */
import type { RunJudgement } from "../support/run-judge.ts";
import type { Round } from "./scenario.ts";

export interface Fault {
  /** What was done, with its sizes. */
  what: string;
  /** Null when the fault was seen to bite, else why it was not. */
  missed: string | null;
  /** How often something was broken; default once. */
  times?: number;
  measures?: Record<string, number>;
}

export function judgedRound(judgement: RunJudgement, fault: Fault): Round {
  const { lines, ends, starts, falselyComplete, problems } = judgement;
  const counts = {
    "lines missing, doubled, out of order or garbled": lines,
    "attempts without exactly one end": ends,
    "attempts begun more or less than once": starts,
    "short logs shown as complete": falselyComplete,
    "runs with anything wrong": { bad: problems.length > 0 ? 1 : 0, total: 1 },
  };
  const measured = { faults: fault.times ?? 1, ...(fault.measures ? { measures: fault.measures } : {}) };
  if (problems.length > 0) return { verdict: "bad", counts, fault: fault.what, problems, ...measured };
  if (fault.missed !== null)
    return { verdict: "void", counts: {}, fault: fault.what, problems: [fault.missed] };
  return { verdict: "good", counts, fault: fault.what, problems: [], ...measured };
}

/** Milliseconds that `work` took; for figures, not for judging. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return Math.round(performance.now() - from);
}
