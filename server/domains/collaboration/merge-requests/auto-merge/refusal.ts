/** When what could not be merged by itself is tried again, or whether the wait for it is over. Pure. */
import type { AutoMergeEnd } from "@forgeline/schemas/merge-requests/auto-merge.ts";
import type { AppError } from "../../../../platform/app-error.ts";
import { PassingConflict } from "../passing-conflict.ts";

/** What changes nothing here, as a rule does, is seen then. */
export const lookSeconds = 60;
/** Runs that are being made: perhaps none, which tells nobody. */
export const soonSeconds = 2;
const longestSeconds = 600;

/** `passing`: somebody else's merge, a branch that has just moved, a server that is too busy. Tried again soon, and ever later while it lasts. */
export type Refusal =
  | { ends: AutoMergeEnd }
  | { problem: string; passing: true }
  | { problem: string; seconds: number };

/** `waitedSeconds`: since it was asked for. */
export function refusalOf(error: AppError, waitedSeconds: number): Refusal {
  const { code, message: problem } = error;
  if (code === "conflict" && Array.isArray(error.options.extra?.["conflicts"])) return { ends: "conflict" };
  if (code === "forbidden" || code === "not_found" || code === "insufficient_scope")
    return { ends: "access" };
  if (error instanceof PassingConflict || code !== "conflict") return { problem, passing: true };
  // As long again as it has waited, so the time doubles. What changes the merge request makes it due at once.
  return { problem, seconds: Math.min(Math.max(lookSeconds, Math.floor(waitedSeconds)), longestSeconds) };
}
