/** The alerts of deploy/ use metrics, labels and values that exist. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { metricCatalogue } from "@forgeline/schemas/metrics/catalogue.ts";
import type { MetricDefinition } from "@forgeline/schemas/metrics/definition.ts";

interface Alerts {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
}

const { groups } = parse(await readFile("deploy/prometheus-alerts.yml", "utf8")) as Alerts;
const rules = groups.flatMap((group) => group.rules);
const catalogue: Record<string, MetricDefinition | undefined> = metricCatalogue;

test.each(rules.map((rule) => [rule.alert, rule] as const))("%s", (_name, { expr, annotations }) => {
  const used = [...expr.matchAll(/\b(forgeline_\w+)(?:\{([^}]*)\})?/g)];
  expect(used.length).toBeGreaterThan(0);
  for (const [, name = "", labels = ""] of used) {
    const metric = catalogue[name];
    expect(metric, name).toBeDefined();
    const named = [...labels.matchAll(/(\w+)\s*=/g)].map(([, label]) => label);
    expect(metric?.labels ?? [], name).toEqual(expect.arrayContaining(named));
  }
  const shown = [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label);
  const known = used.flatMap(([, name = ""]) => catalogue[name]?.labels ?? []);
  expect(known).toEqual(expect.arrayContaining(shown));
});
