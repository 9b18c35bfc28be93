/** When what could not be merged by itself is tried again, or whether the wait for it is over. Pure. */
import type { AutoMergeEnd } from "@forgeline/schemas/merge-requests/auto-merge.ts";
import type { AppError } from "../../../../platform/app-error.ts";
import { PassingConflict } from "../passing-conflict.ts";

/** What changes nothing here, as a rule does, is seen then. */
const lookSeconds = 60;
/** Somebody else's merge, a branch that has just moved, or runs that are being made: perhaps none, which tells nobody. */
export const soonSeconds = 2;
const longestSeconds = 600;

/**
 * As long again as it has waited, so the time doubles: most of what failed by accident, or was not ready, is so in a few seconds.
 * What changes the merge request makes it due at once. `waitedSeconds`: since it was asked for.
 */
export function secondsToNext(waitedSeconds: number, most = lookSeconds): number {
  return Math.min(Math.max(soonSeconds, Math.floor(waitedSeconds)), most);
}

export type Refusal = { ends: AutoMergeEnd } | { problem: string; seconds: number };

/** `waitedSeconds`: since it was asked for. */
export function refusalOf(error: AppError, waitedSeconds: number): Refusal {
  const { code, message: problem } = error;
  if (code === "conflict" && Array.isArray(error.options.extra?.["conflicts"])) return { ends: "conflict" };
  if (code === "forbidden" || code === "not_found" || code === "insufficient_scope")
    return { ends: "access" };
  if (error instanceof PassingConflict) return { problem, seconds: soonSeconds };
  const most = code === "conflict" ? longestSeconds : lookSeconds;
  return { problem, seconds: secondsToNext(waitedSeconds, most) };
}
