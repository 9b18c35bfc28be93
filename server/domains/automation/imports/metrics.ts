/** What imports count. */
import { createCounter } from "../../../platform/declared-metrics.ts";
import type { Metrics } from "../../../platform/metrics.ts";

export interface ImportMetrics {
  ended(outcome: "done" | "failed" | "cancelled"): void;
}

export function createImportMetrics(registry: Metrics): ImportMetrics {
  const imports = createCounter(registry, "forgeline_imports_total");
  return { ended: (outcome) => imports.inc({ outcome }) };
}
