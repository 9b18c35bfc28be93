/** Starts the workflow of an export, through the outbox. */
import {
  auditExportWorkflowId,
  auditExportWorkflowName,
  type AuditExportInput,
} from "@forgeline/schemas/audit-exports/workflow.ts";
import { followerTaskQueue } from "@forgeline/schemas/events/workflow.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { addIntent } from "../../../platform/outbox/outbox.ts";
import type { Temporal } from "../../../platform/temporal.ts";

/** Prefix of the keys of these intents, and their kind. */
export const auditExportKey = "audit_export";

export async function addExportIntent(tx: Transaction, exportId: string): Promise<void> {
  await addIntent(tx, {
    kind: auditExportKey,
    key: `${auditExportKey}:${exportId}`,
    group: exportId,
    payload: { exportId },
  });
}

/** Does nothing while it is running. Throws if Temporal does not answer. */
export async function startExport(
  { temporal, taskQueue }: { temporal: Temporal; taskQueue: string },
  exportId: string,
): Promise<void> {
  const input: AuditExportInput = { exportId, queue: followerTaskQueue(taskQueue) };
  await temporal.call((client) =>
    client.workflow.start(auditExportWorkflowName, {
      taskQueue,
      workflowId: auditExportWorkflowId(taskQueue, exportId),
      workflowIdConflictPolicy: "USE_EXISTING",
      args: [input],
    }),
  );
}
