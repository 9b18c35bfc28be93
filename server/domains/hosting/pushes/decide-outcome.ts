/**
 * Finds out which updates of an unconfirmed intent really happened. A ref may have been updated again since, so the `before` of
 * later pushes is considered as well as the ref's current value.
 */
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";

export function appliedUpdates(
  intent: readonly RefUpdate[],
  refsNow: ReadonlyMap<string, string>,
  later: readonly RefUpdate[],
): RefUpdate[] {
  return intent.filter((update) => {
    const ofRef = later.filter((other) => other.ref === update.ref);
    // A later push made the same update: then this one did not happen.
    if (ofRef.some((other) => other.before === update.before && other.after === update.after)) return false;
    if (refsNow.get(update.ref) === update.after) return true;
    return ofRef.some((other) => other.before === update.after);
  });
}
