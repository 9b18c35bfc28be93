/** Starts the workflow of an export, through the outbox. */
import {
  auditExportWorkflowId,
  auditExportWorkflowName,
  type AuditExportInput,
} from "@forgeline/schemas/audit-exports/workflow.ts";
import { followerTaskQueue } from "@forgeline/schemas/events/workflow.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { addIntent, type OutboxHandler } from "../../../platform/outbox/outbox.ts";
import type { Temporal } from "../../../platform/temporal.ts";

/** Prefix of the keys of these intents. */
export const auditExportKey = "audit_export";

export async function addExportIntent(tx: Transaction, exportId: string): Promise<void> {
  await addIntent(tx, {
    kind: "audit_export",
    key: `${auditExportKey}:${exportId}`,
    group: exportId,
    payload: { exportId },
  });
}

export function createExportHandler({
  temporal,
  taskQueue,
}: {
  temporal: Temporal;
  taskQueue: string;
}): OutboxHandler {
  return (items) => {
    const exportId = items[0]?.key.slice(auditExportKey.length + 1) ?? "";
    const input: AuditExportInput = { exportId, queue: followerTaskQueue(taskQueue) };
    const call = () =>
      temporal.call(
        async (client) =>
          void (await client.workflow.start(auditExportWorkflowName, {
            taskQueue,
            workflowId: auditExportWorkflowId(taskQueue, exportId),
            workflowIdConflictPolicy: "USE_EXISTING",
            args: [input],
          })),
      );
    return [{ kind: "audit_export", items: [...items], call }];
  };
}
