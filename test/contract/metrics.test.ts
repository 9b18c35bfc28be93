/** Metrics are declared in `schemas/metrics/`, once, in the manner of Prometheus; and each is counted somewhere. */
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metricCatalogue } from "@forgeline/schemas/metrics/catalogue.ts";
import type { MetricDefinition } from "@forgeline/schemas/metrics/definition.ts";

const root = join(import.meta.dirname, "../..");
/** The only file that makes metrics. */
const maker = "server/platform/declared-metrics.ts";
const metrics: [string, MetricDefinition][] = Object.entries(metricCatalogue);

function sources(): Promise<{ file: string; text: string }[]> {
  const listed = execFileSync("git", ["ls-files", "--", "server/*.ts", "workflows/*.ts"], { cwd: root });
  const files = listed.toString().split("\n").filter(Boolean);
  return Promise.all(files.map(async (file) => ({ file, text: await readFile(join(root, file), "utf8") })));
}

test("names say the unit, and help is a sentence", () => {
  expect(metrics.flatMap(([name, metric]) => problemsOf(name, metric))).toEqual([]);
});

test.each<[string, MetricDefinition, string]>([
  ["forgeline_mails", { type: "counter", help: "Mails." }, "a counter ends in _total"],
  ["forgeline_mails_total", { type: "gauge", help: "Mails." }, "only a counter ends in _total"],
  [
    "forgeline_claim_ms",
    { type: "histogram", help: "Claims.", buckets: [1] },
    "a histogram ends in its unit, with limits",
  ],
  ["forgeline_mailsSent_total", { type: "counter", help: "Mails." }, "a name has small letters"],
  ["forgeline_mails_total", { type: "counter", help: "Mails" }, "help ends with a full stop"],
])("%s, %j: %s", (name, metric, problem) => {
  expect(problemsOf(name, metric)).toEqual([`${name}: ${problem}`]);
});

test("no metric is made past the catalogue", async () => {
  const past = (await sources()).filter(
    ({ file, text }) => file !== maker && /\bnew (?:Counter|Gauge|Histogram)\b/.test(text),
  );
  expect(past.map(({ file }) => file)).toEqual([]);
});

test("each metric is counted by the server or the worker", async () => {
  const made = (await sources()).map(({ text }) => text).join("\n");
  const names = metrics.map(([name]) => name);
  expect(names.filter((name) => !made.includes(`"${name}"`) && !isMadeOfParts(name))).toEqual([]);
});

/** Of gates and rooms there are several of one kind (`slot-metrics.ts`, `request-memory.ts`). */
function isMadeOfParts(name: string): boolean {
  return /^forgeline_git_(?:exchange|question|background|reader|remote|request_bytes_of_)/.test(name);
}

function problemsOf(name: string, { type, help, buckets }: MetricDefinition): string[] {
  const rules: [boolean, string][] = [
    [/^forgeline(?:_[a-z]+)+$/.test(name), "a name has small letters"],
    [type !== "counter" || name.endsWith("_total"), "a counter ends in _total"],
    [type === "counter" || !name.endsWith("_total"), "only a counter ends in _total"],
    [
      type !== "histogram" || (/_(?:seconds|bytes)$/.test(name) && buckets !== undefined),
      "a histogram ends in its unit, with limits",
    ],
    [help.endsWith("."), "help ends with a full stop"],
  ];
  return rules.filter(([holds]) => !holds).map(([, problem]) => `${name}: ${problem}`);
}
