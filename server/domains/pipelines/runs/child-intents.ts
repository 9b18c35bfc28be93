/** What has to be looked at again of a job that starts another pipeline, through the outbox: the two runs never wait for each other's locks. */
import type { Transaction } from "../../../platform/db/database.ts";
import { addIntent } from "../../../platform/outbox/outbox.ts";

/** Prefix of the keys; the rest is the id of the attempt. */
export const childKey = "child";

export async function addChildIntent(
  tx: Transaction,
  {
    kind,
    attemptId,
    group,
  }: { kind: "start_child" | "child_waits" | "child_ended"; attemptId: string; group: string },
): Promise<void> {
  await addIntent(tx, { kind, key: `${childKey}:${attemptId}`, group, payload: {} });
}

/** The run has ended, or waits otherwise than before: the job that started it is told, if there is one. */
export async function tellParent(
  tx: Transaction,
  {
    parent_attempt_id: attemptId,
    repository_id: group,
  }: { parent_attempt_id: string | null; repository_id: string },
  kind: "child_waits" | "child_ended",
): Promise<void> {
  if (attemptId !== null) await addChildIntent(tx, { kind, attemptId, group });
}
