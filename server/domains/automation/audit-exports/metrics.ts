/** What exports of audit logs count. */
import { createCounter } from "../../../platform/declared-metrics.ts";
import type { Metrics } from "../../../platform/metrics.ts";

export interface AuditExportMetrics {
  ended(outcome: "done" | "failed", bytes: number): void;
}

export function createAuditExportMetrics(registry: Metrics): AuditExportMetrics {
  const exports = createCounter(registry, "forgeline_audit_exports_total");
  const size = createCounter(registry, "forgeline_audit_export_bytes_total");
  return {
    ended(outcome, bytes) {
      exports.inc({ outcome });
      size.inc(bytes);
    },
  };
}
