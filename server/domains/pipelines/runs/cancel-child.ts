/**
 * Ends runs that jobs of a run wait for, when these jobs have to end. Locks go from the run above to the one below, never the other
 * way round.
 */
import type { Transaction } from "../../../platform/db/database.ts";
import { followedChildren, openChild } from "./children.store.ts";
import { keepCancelReason } from "./run-changes.store.ts";
import { lockPipeline } from "./run-record.store.ts";
import { addRunIntent } from "./run-intents.ts";
import { runStateOf, runStates } from "./run-states.ts";

/** The run that this attempt started; nothing happens if it has ended. */
export async function cancelChild(tx: Transaction, attemptId: string, force: boolean): Promise<void> {
  const child = await openChild(tx, attemptId);
  if (child) await cancel(tx, child.id, force);
}

/** All that jobs of the run wait for. */
export async function cancelFollowed(tx: Transaction, pipelineId: string): Promise<void> {
  for (const { id } of await followedChildren(tx, pipelineId)) await cancel(tx, id, false);
}

async function cancel(tx: Transaction, pipelineId: string, force: boolean): Promise<void> {
  const run = await lockPipeline(tx, pipelineId);
  if (!run || !runStates.next(runStateOf(run.status), "cancel")) return;
  const reason = "parent";
  await keepCancelReason(tx, pipelineId, reason);
  const { sequence, repository_id: repositoryId } = run;
  await addRunIntent(tx, repositoryId, {
    kind: "cancel_pipeline",
    pipelineId,
    sequence,
    request: { reason, force },
  });
}
