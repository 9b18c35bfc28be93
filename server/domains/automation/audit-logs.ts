/** What goes on by itself with audit logs: files are written on request, and entries are sent to where they are wanted. */
import type { Config } from "../../config/config.ts";
import { callPerId } from "../../platform/outbox/call-per-id.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Operation } from "../operation/domain.ts";
import { createExportFiles } from "./audit-exports/export-files.ts";
import { createAuditExports } from "./audit-exports/exports.ts";
import { auditExportKey, startExport } from "./audit-exports/intents.ts";
import { createExportLinks } from "./audit-exports/links.ts";
import { createAuditExportMetrics } from "./audit-exports/metrics.ts";
import { createAuditExportService } from "./audit-exports/service.ts";
import { createAuditExportUpkeep } from "./audit-exports/upkeep.ts";
import { encryptedAuditStreams } from "./audit-streams/encrypted-audit-streams.ts";
import { auditStreamKey, wakeStream } from "./audit-streams/intents.ts";
import { createAuditStreamMetrics } from "./audit-streams/metrics.ts";
import { createAuditStreamService } from "./audit-streams/service.ts";
import { createStartDueStreams } from "./audit-streams/start-due.ts";
import { createAuditStreams } from "./audit-streams/streams.ts";

export interface AuditLogDeps {
  config: Config;
  platform: Platform;
  operation: Operation;
}

export function createAuditLogs(deps: AuditLogDeps) {
  return { ...createExports(deps), ...createStreams(deps) };
}

function createExports({ config, platform, operation }: AuditLogDeps) {
  const { db, addresses, objects, instanceKeys, outbox, temporal } = platform;
  const { taskQueue } = config.temporal;
  const start = (exportId: string) => startExport({ temporal, taskQueue }, exportId);
  outbox.handle(auditExportKey, callPerId(auditExportKey, auditExportKey, start));
  const files = createExportFiles(objects);
  const links = createExportLinks(instanceKeys.signer("audit_export"));
  const metrics = createAuditExportMetrics(platform.metrics);
  return {
    auditExportService: createAuditExportService({ db, addresses, links, files }),
    auditExports: createAuditExports({ db, reader: operation.auditReader, files, metrics }),
    auditExportUpkeep: createAuditExportUpkeep({ db, files }),
  };
}

function createStreams({ config, platform, operation }: AuditLogDeps) {
  const { db, addresses, outbound, instanceKeys, outbox, temporal } = platform;
  const { taskQueue } = config.temporal;
  const encryption = instanceKeys.encryption("audit_stream");
  operation.encryptedRecords.add("audit_streams", encryptedAuditStreams(encryption));
  const wake = (streamId: string) => wakeStream({ temporal, taskQueue }, streamId);
  outbox.handle(auditStreamKey, callPerId(auditStreamKey, auditStreamKey, wake));
  const parts = { db, addresses, encryption, outbound, reader: operation.auditReader };
  return {
    auditStreamService: createAuditStreamService({ ...parts, mayDial: outbound.mayDial }),
    auditStreams: createAuditStreams({
      ...parts,
      wake,
      metrics: createAuditStreamMetrics(platform.metrics, db),
      firstWaitMs: config.periods.auditStreamRetryMs,
    }),
    dueAuditStreams: createStartDueStreams({ db, wake }),
  };
}
