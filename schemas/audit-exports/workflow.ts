/** The workflow that writes the file of an export. */
import { z } from "zod";

export const auditExportWorkflowName = "auditExport";

export function auditExportWorkflowId(taskQueue: string, exportId: string): string {
  return `audit-export:${taskQueue}:${exportId}`;
}

/** Undefined for other workflows. */
export function auditExportOf(workflowId: string): string | undefined {
  return /^audit-export:.+:(exp_[0-9a-z]{26})$/.exec(workflowId)?.[1];
}

export const WriteAuditExport = z.strictObject({ exportId: z.string() });
export type WriteAuditExport = z.infer<typeof WriteAuditExport>;

/** Of the workflow: `queue` is that of its activity. */
export interface AuditExportInput extends WriteAuditExport {
  queue: string;
}
