/** What queries of alerts and dashboards ask for, read by Prometheus' own grammar, and whether our programs show it. */
import { parser } from "@prometheus-io/lezer-promql";
import type { SyntaxNode } from "@lezer/common";
import { metricCatalogue } from "@forgeline/schemas/metrics/catalogue.ts";
import type { MetricDefinition } from "@forgeline/schemas/metrics/definition.ts";
import { createMetrics } from "@forgeline/server/platform/metrics.ts";

const catalogue: Record<string, MetricDefinition | undefined> = metricCatalogue;
/** Of a Node process. */
const ofProcess = new Set(
  createMetrics()
    .getMetricsAsArray()
    .map(({ name }) => name),
);
/** Prometheus adds them to everything. */
const ofTarget = ["job", "instance"];

/** Labels of the series, or undefined where there is none of this name. */
function labelsOf(series: string): readonly string[] | undefined {
  const whole = catalogue[series];
  if (whole && whole.type !== "histogram") return whole.labels ?? [];
  const [, name = "", part = ""] = /^(\w+)_(bucket|count|sum)$/.exec(series) ?? [];
  const histogram = catalogue[name];
  if (histogram?.type === "histogram")
    return [...(histogram.labels ?? []), ...(part === "bucket" ? ["le"] : [])];
  return ofProcess.has(series) ? [] : undefined;
}

/** What is wrong with the query. `shown`: labels that are shown of its result. */
export function problemsOf(query: string, shown: readonly string[] = []): string[] {
  const text = query.replaceAll("$__rate_interval", "5m");
  const tree = parser.parse(text);
  const problems: string[] = [];
  const read = ({ from, to }: { from: number; to: number }) => text.slice(from, to);
  let count = 0;
  tree.iterate({
    enter({ type, node, from }) {
      if (type.isError) problems.push(`it cannot be read at ${from}`);
      if (type.name === "VectorSelector") {
        count += 1;
        problems.push(...problemsOfSelector(node, read));
      }
      if (type.name === "GroupingLabels") problems.push(...problemsOfGrouping(node, read));
    },
  });
  if (count === 0) problems.push("it asks for nothing");
  const known = knownOf(tree.topNode, read);
  const unknown = shown.filter((label) => !known.includes(label));
  return [...problems, ...unknown.map((label) => `its result has no label ${label}`)];
}

type Read = (node: { from: number; to: number }) => string;

const namesIn = (node: SyntaxNode, type: string, read: Read) => {
  const found: string[] = [];
  node.cursor().iterate((each) => {
    if (each.type.name === type) found.push(read(each));
    return each.type.name !== "AggregateExpr" || each.from === node.from;
  });
  return found;
};

function problemsOfSelector(node: SyntaxNode, read: Read): string[] {
  const [series = ""] = namesIn(node, "Identifier", read);
  const labels = labelsOf(series);
  if (!labels) return [`there is no series ${series}`];
  const unknown = namesIn(node, "LabelName", read).filter(
    (label) => ![...labels, ...ofTarget].includes(label),
  );
  return unknown.map((label) => `${series} has no label ${label}`);
}

/** Each series within the aggregation has what it is grouped by. */
function problemsOfGrouping(node: SyntaxNode, read: Read): string[] {
  const aggregation = node.parent?.parent;
  if (!aggregation) return [];
  const grouped = namesIn(node, "LabelName", read);
  return allSelectors(aggregation, read).flatMap((series) => {
    const labels = [...(labelsOf(series) ?? []), ...ofTarget];
    return grouped
      .filter((label) => !labels.includes(label))
      .map((label) => `${series} has no label ${label} to group by`);
  });
}

function allSelectors(node: SyntaxNode, read: Read): string[] {
  const found: string[] = [];
  node.cursor().iterate((each) => {
    if (each.type.name === "VectorSelector") found.push(...namesIn(each.node, "Identifier", read));
  });
  return found;
}

/** Labels that the result may have: of its groupings, or without any, of its series. */
function knownOf(top: SyntaxNode, read: Read): string[] {
  const grouped: string[] = [];
  let isGrouped = false;
  top.cursor().iterate((each) => {
    if (each.type.name === "AggregateExpr") isGrouped = true;
    if (each.type.name === "GroupingLabels") grouped.push(...namesIn(each.node, "LabelName", read));
  });
  if (isGrouped) return grouped;
  return allSelectors(top, read).flatMap((series) => [...(labelsOf(series) ?? []), ...ofTarget]);
}
