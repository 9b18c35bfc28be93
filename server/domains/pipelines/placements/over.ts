/** Ends placements: those whose stage is over, and those that are lost with their runner. */
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAttemptUnplaced } from "../runs/attempt-facts.ts";
import {
  endDone,
  findForgotten,
  findLost,
  lockQueued,
  lockRunOfPlacement,
  lose,
  movePlaced,
} from "./over.store.ts";
import { anyPlacement } from "./placement-labels.ts";
import { findReleasable, insertPlacement, relabelQueued } from "./placements.store.ts";

/** A stage that waits this long for something else, such as an approval, does not hold the disk of a runner. */
const idleMs = 60 * 60_000;

/** Part of each sweep; returns how many were lost. */
export async function endPlacements(db: Database, reclaimMs: number): Promise<number> {
  await endDone(db);
  return loseAll(db, await findLost(db, { reclaimMs, idleMs }));
}

/** A runner has connected, and has only these workspaces: what it should have besides is lost. */
export async function keepPlacements(db: Database, runnerId: string, kept: readonly string[]): Promise<void> {
  await loseAll(db, await findForgotten(db, runnerId, kept));
}

async function loseAll(db: Database, placementIds: readonly string[]): Promise<number> {
  for (const id of placementIds) await db.transaction((tx) => losePlacement(tx, id));
  return placementIds.length;
}

/** Safe to call again: what became queued for the old runner meanwhile follows. */
async function losePlacement(tx: Transaction, placementId: string): Promise<void> {
  await lockRunOfPlacement(tx, placementId);
  const lost = await lose(tx, placementId);
  if (!lost) return;
  if (lost.isNew) tx.count("forgeline_placements_lost_total", { shared: lost.shared ? "yes" : "no" });
  const queued = await lockQueued(tx, placementId);
  if (queued.length === 0) return;
  if (lost.shared && lost.hasBegun) {
    for (const attemptId of queued) await recordAttemptUnplaced(tx, attemptId);
    return;
  }
  const { stageId, sequence, shared } = lost;
  const id = newId("plc");
  await insertPlacement(tx, { id, stageId, sequence, shared });
  await movePlaced(tx, placementId, id);
  await relabelQueued(tx, id, anyPlacement);
  await tx.notify("queue", lost.repositoryId);
}

/** Of the shared workspaces that the runner has, those that it need not keep: of stages that are over or were lost to it. */
export function releasableWorkspaces(
  db: Database,
  runnerId: string,
  workspaceIds: readonly string[],
): Promise<string[]> {
  return findReleasable(db, runnerId, workspaceIds);
}
