/**
 * Which updates of an unconfirmed intent truly happened. A ref may have been moved again since, so what later pushes
 * saw as `before` counts as well as what the ref is now.
 */
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";

export function appliedUpdates(
  intent: readonly RefUpdate[],
  refsNow: ReadonlyMap<string, string>,
  later: readonly RefUpdate[],
): RefUpdate[] {
  return intent.filter((update) => {
    const ofRef = later.filter((other) => other.ref === update.ref);
    // The same move by a later push: then it was that one, and this one had not taken place.
    if (ofRef.some((other) => other.before === update.before && other.after === update.after)) return false;
    if (refsNow.get(update.ref) === update.after) return true;
    return ofRef.some((other) => other.before === update.after);
  });
}
