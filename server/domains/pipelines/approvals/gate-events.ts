/** Events of gates (`docs/architecture/events.md`), recorded in the transaction of the change. */
import type { eventActions } from "@forgeline/schemas/events/event-kind.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { recordRepositoryEvents } from "../../hosting/domain.ts";
import { readSnapshot } from "../runs/run-events.ts";
import { listGates } from "./gates.store.ts";
import { presentGate } from "./present.ts";

type GateAction = (typeof eventActions.approval)[number];

export interface GateEvent {
  gateId: string;
  action: GateAction;
  /** Who decided, null if it was the time; undefined: who started the run, because the run goes on. */
  senderId?: string | null;
}

/** The gate is shown as it is now, so call it after the change. */
export async function recordGateEvent(
  tx: Transaction,
  pipelineId: string,
  { gateId, action, senderId }: GateEvent,
): Promise<void> {
  const [row] = await listGates(tx, pipelineId, { userId: null, gateId });
  const pipeline = await readSnapshot(tx, pipelineId);
  if (!row || !pipeline) return;
  const {
    may_decide: _mayDecide,
    newer: _newer,
    rollback: _rollback,
    shortage: _shortage,
    ...approval
  } = presentGate(row);
  const place = {
    repositoryId: pipeline.repository_id,
    senderId: senderId === undefined ? pipeline.user_id : senderId,
  };
  await recordRepositoryEvents(tx, place, [{ kind: "approval", action, subject: { approval, pipeline } }]);
}
