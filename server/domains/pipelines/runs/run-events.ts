/** Events of runs: created, started and finished, recorded in the transaction of the change. */
import type { eventActions } from "@forgeline/schemas/events/event-kind.ts";
import { isFinal, type Status } from "@forgeline/schemas/pipelines/status.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { recordRepositoryEvents } from "../../hosting/domain.ts";
import { snapshotRun, type RunSnapshotRow } from "./run-events.store.ts";

export type RunAction = (typeof eventActions.pipeline)[number];

/** The run as JSON. */
export type RunSnapshot = {
  [Column in keyof RunSnapshotRow]: RunSnapshotRow[Column] extends Date | null
    ? string | Extract<RunSnapshotRow[Column], null>
    : RunSnapshotRow[Column];
};

/** As an event keeps it; undefined if it is gone. */
export function readSnapshot(tx: Transaction, pipelineId: string): Promise<RunSnapshotRow | undefined> {
  return snapshotRun(tx, pipelineId);
}

export async function recordRunEvents(
  tx: Transaction,
  pipelineId: string,
  actions: readonly RunAction[],
): Promise<void> {
  const pipeline = await snapshotRun(tx, pipelineId);
  if (!pipeline) return;
  const place = { repositoryId: pipeline.repository_id, senderId: pipeline.user_id };
  await recordRepositoryEvents(
    tx,
    place,
    actions.map((action) => ({ kind: "pipeline", action, subject: { pipeline } })),
  );
}

/**
 * What followers are told of when a run gets this status. It leaves `running` between two stages, and is said to have started
 * only once in a sequence.
 */
export function actionOf(status: Status, hasStarted: boolean): RunAction | undefined {
  if (isFinal(status)) return "finished";
  return status === "running" && !hasStarted ? "started" : undefined;
}
