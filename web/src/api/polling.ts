/** Polling at short intervals. */
import { isRefusal } from "./problem.ts";

/**
 * For `refetchInterval`: `ms`, or never again after a refusal. Each new question would take away what the page says of it, and
 * the focus in it, until the same answer is here again.
 */
export function pollUnlessRefused(error: unknown, ms: number | false): number | false {
  return isRefusal(error) ? false : ms;
}
