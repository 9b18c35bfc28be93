/**
 * How claims keep the jobs of a stage together: the first that is claimed chooses the runner. A claim has its attempt locked, so it does not
 * wait for a placement that somebody else has; it puts the attempt back and looks again later.
 */
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { anyPlacement, placementLabel } from "./placement-labels.ts";
import { begin, choose, findApart, isTurnTaken, relabelQueued, reopen } from "./placements.store.ts";

export interface ClaimedJob {
  attemptId: string;
  placementId: string;
  /** It works in the workspace of its stage. */
  shares: boolean;
}

/** `mine`: the runner has it. Else it has to be put back: `elsewhere` it has another runner now, `later` nobody can tell. */
export type Taken = "mine" | "elsewhere" | "later";

/** The attempt is offered to the runner in this transaction. */
export async function takePlacement(tx: Transaction, job: ClaimedJob, runnerId: string): Promise<Taken> {
  const found = await choose(tx, job.placementId, runnerId);
  if (!found) return "later";
  if (found.isNew) {
    await relabelQueued(tx, job.placementId, placementLabel(runnerId));
    return "mine";
  }
  if (found.runnerId !== runnerId) return "elsewhere";
  return job.shares && (await isTurnTaken(tx, job.placementId, job.attemptId)) ? "later" : "mine";
}

/** After the attempt was put back, so that it is offered to the runner that the placement has now. */
export async function followPlacement(tx: Transaction, placementId: string, runnerId: string): Promise<void> {
  const found = await choose(tx, placementId, runnerId);
  if (found?.runnerId) await relabelQueued(tx, placementId, placementLabel(found.runnerId));
}

/** A job of the placement was put back: where it was the only one, any runner may have the stage. */
export async function returnPlacement(tx: Transaction, placementId: string): Promise<void> {
  if (await reopen(tx, placementId)) await relabelQueued(tx, placementId, anyPlacement);
}

/** The runner accepts the attempt. Does nothing for one without a placement. */
export async function beginPlacement(tx: Transaction, attemptId: string): Promise<void> {
  await begin(tx, attemptId);
}

/** Runners that match other jobs than those with the same labels, for now. */
export function runnersApart(db: Database): Promise<string[]> {
  return findApart(db);
}
