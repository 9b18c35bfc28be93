/** The dashboards of deploy/ ask for series and labels that exist, and fit into Grafana's grid. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metricCatalogue } from "@forgeline/schemas/metrics/catalogue.ts";
import { notShown } from "../../scripts/dashboards/not-shown.ts";
import { problemsOf } from "../support/promql.ts";

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { refId: string; expr: string; legendFormat: string }[];
}
interface Dashboard {
  uid: string;
  title: string;
  panels: Panel[];
}

const directory = "deploy/grafana";
const files = (await readdir(directory)).filter((name) => name.endsWith(".json"));
const dashboards = await Promise.all(
  files.map(
    async (name) => [name, JSON.parse(await readFile(join(directory, name), "utf8")) as Dashboard] as const,
  ),
);
const shownIn = (legend: string) => [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label);

test.each(dashboards)("%s asks for what there is", (_name, { panels }) => {
  const problems = panels.flatMap(({ title, targets = [] }) =>
    targets.flatMap(({ expr, legendFormat }) =>
      problemsOf(expr, shownIn(legendFormat)).map((problem) => `${title}: ${problem}: ${expr}`),
    ),
  );
  expect(problems).toEqual([]);
});

test.each(dashboards)("%s has panels that do not overlap, with ids of their own", (_name, { panels }) => {
  const taken = new Set<string>();
  for (const { title, gridPos, type, targets = [] } of panels) {
    expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
    expect(targets.length > 0, title).toBe(type !== "row");
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        expect(taken.has(`${x} ${y}`), title).toBe(false);
        taken.add(`${x} ${y}`);
      }
  }
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});

test("dashboards have addresses of their own", () => {
  expect(new Set(dashboards.map(([, { uid }]) => uid)).size).toBe(dashboards.length);
});

/** Of histograms there are parts alone. */
const isAskedFor = (text: string, name: string) =>
  new RegExp(String.raw`\b${name}(?:_bucket|_sum|_count)?\b`).test(text);

test("each metric has a panel, or a reason why it has none", () => {
  const asked = dashboards
    .flatMap(([, { panels }]) => panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)))
    .join("\n");
  const isShown = (name: string) => isAskedFor(asked, name);
  const names = Object.keys(metricCatalogue);
  expect(names.filter((name) => !isShown(name) && !(name in notShown))).toEqual([]);
  expect(Object.keys(notShown).filter(isShown), "it has a panel by now").toEqual([]);
  expect(isAskedFor("rate(forgeline_mails_sent_total[5m])", "forgeline_mails")).toBe(false);
});

test.each([
  ["sum by (outcome (forgeline_mails_total)", "cannot be read"],
  ["sum(rate(forgeline_mails_sent_total[5m]))", "no series forgeline_mails_sent_total"],
  ["rate(forgeline_queue_wait_seconds[5m])", "no series forgeline_queue_wait_seconds"],
  ['forgeline_mails_total{result="sent"}', "forgeline_mails_total has no label result"],
  ["sum by (kind) (forgeline_mails_total)", "no label kind to group by"],
  ["1 + 1", "asks for nothing"],
])("%s: %s", (query, problem) => {
  expect(problemsOf(query).join()).toContain(problem);
});

test("a legend names labels that the result has", () => {
  expect(problemsOf("sum (forgeline_mails_total)", ["outcome"])).toEqual(["its result has no label outcome"]);
  expect(problemsOf("sum by (outcome) (forgeline_mails_total)", ["outcome"])).toEqual([]);
});
