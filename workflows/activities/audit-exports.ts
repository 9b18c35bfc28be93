/** Activities of exports of audit logs. Each may run twice. */
import { WriteAuditExport } from "@forgeline/schemas/audit-exports/workflow.ts";
import type { AuditExports } from "@forgeline/server/domains/automation/domain.ts";
import { activity } from "./activity.ts";
import { whileBeating } from "./heartbeat.ts";

export type AuditExportActivities = ReturnType<typeof createAuditExportActivities>;

/** Well under the time after which Temporal takes a silent worker for dead. */
const heartbeatMs = 3_000;

/** After many tries. */
const failed =
  "The log or the object storage could not be reached for several minutes. Ask for a new export.";

export function createAuditExportActivities(exports: AuditExports) {
  return {
    writeAuditExport: activity(WriteAuditExport, ({ exportId }) =>
      whileBeating({ everyMs: heartbeatMs, details: { id: exportId } }, (signal) =>
        exports.write(exportId, signal),
      ),
    ),
    giveUpAuditExport: activity(WriteAuditExport, ({ exportId }) => exports.giveUp(exportId, failed)),
  };
}
