/**
 * Finds out which updates of an unconfirmed intent really happened. Others may have updated the same refs since, or at the same
 * time to the same value, so what they recorded is considered as well as the refs' current values.
 */
import { zeroId } from "../../../platform/git/refs/names.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";

/** Another push that was not refused. */
export interface OtherPush {
  updates: readonly RefUpdate[];
  /** Its moves happened. Of one that is open, nobody knows yet. */
  isRecorded: boolean;
  /** It was begun after the intent. */
  isLater: boolean;
}

/**
 * `others`: those recorded since the intent was written, in that order, and those that are open. Undefined: an earlier one that is
 * open may have made one of the moves, and must be settled first.
 */
export function appliedUpdates(
  intent: readonly RefUpdate[],
  refsNow: ReadonlyMap<string, string>,
  others: readonly OtherPush[],
): RefUpdate[] | undefined {
  const decided = intent.map((update) => ({
    update,
    answer: hasHappened(update, refsNow.get(update.ref), others),
  }));
  if (decided.some(({ answer }) => answer === undefined)) return undefined;
  return decided.filter(({ answer }) => answer).map(({ update }) => update);
}

/**
 * Each time that a ref gets a value, that value is left once, or is there now. So it happened if the value is seen more often than
 * the others have set it.
 */
function hasHappened(
  update: RefUpdate,
  now: string | undefined,
  others: readonly OtherPush[],
): boolean | undefined {
  const { ref, before, after } = update;
  // The removal of a ref that was not there.
  if (before === after) return false;
  const of = ({ updates }: OtherPush) => updates.filter((other) => other.ref === ref);
  const recorded = others.filter(({ isRecorded }) => isRecorded).flatMap(of);
  const later = others.filter(({ isRecorded, isLater }) => !isRecorded && isLater).flatMap(of);
  const earlier = others.filter(({ isRecorded, isLater }) => !isRecorded && !isLater).flatMap(of);
  const count = (updates: readonly RefUpdate[], side: "before" | "after") =>
    updates.filter((other) => other[side] === after).length;
  const seen = count(recorded, "before") + count(later, "before") + Number((now ?? zeroId) === after);
  // Of two open pushes that wanted the same move, the later one is taken to have made it.
  const same = later.filter((other) => other.before === before);
  const explained = count(recorded, "after") + count(same, "after");
  if (seen <= explained) return false;
  return count(earlier, "after") > 0 ? undefined : true;
}
