/**
 * Scenarios of the benchmark work: at tiny size, all on one instance, each reports the rows that its page has of it. Those that take
 * long even so are tried at full size only, and whenever they are measured.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Docker from "dockerode";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startBench, type Cleanup } from "../../bench/bed.ts";
import { renderResult } from "../../bench/report.ts";
import type { Bench } from "../../bench/scenario.ts";
import { scenarios } from "../../bench/scenarios.ts";
import { tinySize } from "../../bench/size.ts";
import { readBed } from "../support/bed.ts";
import { isFull } from "../support/size.ts";

const quick = new Set([3, 7, 8, 9, 15, 18, 19, 21, 22, 23, 24, 25, 28, 29]);
const tried = scenarios.filter(({ number }) => isFull || quick.has(number));
const page = await readFile(new URL("../../bench/README.md", import.meta.url), "utf8");
const ends: Cleanup[] = [];
let bench: Bench;

beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), "forgeline-bench-test-"));
  ends.push(() => rm(directory, { recursive: true, force: true }));
  const docker = new Docker({ socketPath: (await readBed()).dockerSocket });
  bench = await startBench({ size: tinySize, docker, directory, say: () => undefined, ends });
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

/** Titles and names of rows, without the numbers in them, which are those of the size. */
function rowsOf(report: string): string[] {
  const lines = report.split("\n").filter((line) => /^(###|\||Where)/.test(line));
  return lines.map((line) => (line.split("|")[1] ?? line).trim().replaceAll(/\d[\d,.]*/g, "#"));
}

function sectionOf(number: number): string {
  return page.slice(page.indexOf(`<!-- scenario ${number} -->`), page.indexOf(`<!-- end ${number} -->`));
}

it.each(tried.map((scenario) => ({ scenario, name: `${scenario.number}. ${scenario.title(tinySize)}` })))(
  "$name",
  { timeout: 120_000 },
  async ({ scenario }) => {
    const result = await scenario.run(bench);
    const report = renderResult(scenario, tinySize, result);
    expect(rowsOf(report)).toEqual(rowsOf(sectionOf(scenario.number)));
    for (const { what, value } of result.figures) {
      expect(value, what).toMatch(/\d/);
      expect(value, what).not.toMatch(/NaN|Infinity|undefined|null/);
    }
    // No time, and so the same on every machine.
    const counted = result.figures.filter(({ limit }) => limit?.text === "all");
    expect(counted.filter(({ limit }) => limit?.met !== true)).toEqual([]);
    for (const { title, parts } of result.parts)
      for (const { what, ms } of parts) expect(ms, `${title}: ${what}`).toSatisfy(Number.isFinite);
  },
);
