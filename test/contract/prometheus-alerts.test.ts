/** The alerts of deploy/ use metrics and labels that exist. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { problemsOf } from "../support/promql.ts";

interface Alerts {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
}

const { groups } = parse(await readFile("deploy/prometheus-alerts.yml", "utf8")) as Alerts;
const rules = groups.flatMap((group) => group.rules);

test.each(rules.map((rule) => [rule.alert, rule] as const))("%s", (_name, { expr, annotations }) => {
  const shown = [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label = ""]) => label);
  expect(problemsOf(expr, shown)).toEqual([]);
});
