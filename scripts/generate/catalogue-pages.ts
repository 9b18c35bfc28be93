/** Pages of `docs/` that list a catalogue: errors, kinds of audit entries, metrics. */
import { auditActions } from "@forgeline/schemas/audit/actions.ts";
import { errorHelp } from "@forgeline/schemas/core/error-help.ts";
import { errorCatalogue, type ErrorCode } from "@forgeline/schemas/core/errors.ts";
import { metricCatalogue } from "@forgeline/schemas/metrics/catalogue.ts";
import type { MetricDefinition } from "@forgeline/schemas/metrics/definition.ts";
import { wrapText } from "./wrap-text.ts";
import { withPart } from "./marked-part.ts";

const pageWidth = 120;

export function generateErrorPage(): Promise<string> {
  const sections = (Object.keys(errorCatalogue) as ErrorCode[]).map((code) => {
    const text = wrapText(`Status ${errorCatalogue[code].status}. ${errorHelp[code]}`, pageWidth);
    return `## ${code}\n\n${text}`;
  });
  return withPart("docs/errors.md", "errors", sections.join("\n\n"));
}

export function generateAuditPage(): Promise<string> {
  const rows = Object.entries(auditActions).map(([kind, meaning]) => `| \`${kind}\` | ${meaning} |`);
  return withPart("docs/audit.md", "kinds", ["| Kind | Meaning |", "|---|---|", ...rows].join("\n"));
}

export function generateMetricsPage(): Promise<string> {
  const metrics: [string, MetricDefinition][] = Object.entries(metricCatalogue);
  const rows = metrics.map(([name, { type, labels = [], help }]) => {
    const labelNames = labels.map((label) => `\`${label}\``).join(", ");
    return `| \`${name}\` | ${type} | ${labelNames} | ${help} |`;
  });
  return withPart(
    "docs/operations/metrics.md",
    "metrics",
    ["| Metric | Type | Labels | Meaning |", "|---|---|---|---|", ...rows].join("\n"),
  );
}
