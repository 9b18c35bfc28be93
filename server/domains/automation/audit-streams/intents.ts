/** Starts the workflow of a stream, or wakes it: through the outbox after a change, and by whoever finds entries that wait. */
import {
  auditStreamSignal,
  auditStreamWorkflowId,
  auditStreamWorkflowName,
  streamTaskQueue,
  type AuditStreamInput,
} from "@forgeline/schemas/audit-streams/workflow.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { addIntent } from "../../../platform/outbox/outbox.ts";
import type { Temporal } from "../../../platform/temporal.ts";

/** Prefix of the keys of these intents, and their kind. */
export const auditStreamKey = "audit_stream";

export async function addStreamIntent(tx: Transaction, streamId: string): Promise<void> {
  await addIntent(tx, {
    kind: auditStreamKey,
    key: `${auditStreamKey}:${streamId}`,
    group: streamId,
    payload: { streamId },
  });
}

/** Throws if Temporal does not answer. */
export async function wakeStream(
  { temporal, taskQueue }: { temporal: Temporal; taskQueue: string },
  streamId: string,
): Promise<void> {
  const input: AuditStreamInput = { streamId, queue: streamTaskQueue(taskQueue) };
  await temporal.call((client) =>
    client.workflow.signalWithStart(auditStreamWorkflowName, {
      taskQueue,
      workflowId: auditStreamWorkflowId(taskQueue, streamId),
      signal: auditStreamSignal,
      signalArgs: [],
      args: [input],
    }),
  );
}
