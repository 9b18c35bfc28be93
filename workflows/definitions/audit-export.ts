/** Writes the file of one export of an audit log. */
import { isCancellation, proxyActivities } from "@temporalio/workflow";
import type { AuditExportInput } from "@forgeline/schemas/audit-exports/workflow.ts";
import type { AuditExportActivities } from "../activities/audit-exports.ts";
import { mirrorActivity } from "./profiles.ts";

export async function auditExport({ exportId, queue }: AuditExportInput): Promise<void> {
  const { writeAuditExport, giveUpAuditExport } = proxyActivities<AuditExportActivities>({
    ...mirrorActivity,
    taskQueue: queue,
  });
  try {
    await writeAuditExport({ exportId });
  } catch (error) {
    if (!isCancellation(error)) await giveUpAuditExport({ exportId });
    throw error;
  }
}
