/**
 * `npm run bench [-- --only 1,2] [--rounds 10] [--rows 1000000] [--no-write]`: measures the figures that the issues set limits for, each
 * against its baseline in the same run, prints them, and writes them into `bench/README.md`. Never fails for a slow
 * figure: times are read by people, not asserted.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startBench } from "./bed.ts";
import { describeMachine, renderResult, writeInto } from "./report.ts";
import type { Scenario } from "./scenario.ts";
import { firstLineScenario } from "./scenarios/first-line.ts";
import { gitExchangesScenario } from "./scenarios/git-exchanges.ts";
import { listRunsScenario } from "./scenarios/list-runs.ts";
import { manyClonesScenario } from "./scenarios/many-clones.ts";
import { manyLinesScenario } from "./scenarios/many-lines.ts";
import { manyPipelinesScenario } from "./scenarios/many-pipelines.ts";
import { manyPushesScenario } from "./scenarios/many-pushes.ts";
import { manyWatchersScenario } from "./scenarios/many-watchers.ts";
import { proveAuditScenario } from "./scenarios/prove-audit.ts";
import { pushScenario } from "./scenarios/push.ts";
import { readRepositoryScenario } from "./scenarios/read-repository.ts";
import { threeStagesScenario } from "./scenarios/three-stages.ts";
import { webPagesScenario } from "./scenarios/web-pages.ts";

const all: readonly Scenario[] = [
  firstLineScenario,
  threeStagesScenario,
  pushScenario,
  manyLinesScenario,
  manyPipelinesScenario,
  manyWatchersScenario,
  readRepositoryScenario,
  listRunsScenario,
  proveAuditScenario,
  manyClonesScenario,
  gitExchangesScenario,
  manyPushesScenario,
  webPagesScenario,
];
const page = fileURLToPath(new URL("README.md", import.meta.url));
/** In all; what is not measured by then is left out. */
const limitMs = 6 * 60_000;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    rounds: { type: "string", default: "10" },
    rows: { type: "string", default: "1000000" },
    "no-write": { type: "boolean", default: false },
  },
});
const chosen = values.only?.split(",").map(Number);
const scenarios = all.filter(({ number, isLong }) => (chosen ? chosen.includes(number) : !isLong));
const given = [
  ...(chosen ? [`--only ${chosen.join(",")}`] : []),
  ...(values.rounds === "10" ? [] : [`--rounds ${values.rounds}`]),
];
const command = ["npm run bench", ...(given.length > 0 ? ["--", ...given] : [])].join(" ");
const say = (line: string) => console.log(`bench          ${line}`);
const ends: (() => Promise<unknown> | undefined)[] = [];
const deadline = setTimeout(() => {
  console.error("bench          stopped: over six minutes");
  void finish(1);
}, limitMs);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void finish(1));

try {
  await measure();
  await finish(0);
} catch (error) {
  console.error(error);
  await finish(1);
}

async function measure(): Promise<void> {
  const bench = await startBench({ rounds: Number(values.rounds), rows: Number(values.rows), say, ends });
  const machine = await describeMachine(bench.docker);
  for (const scenario of scenarios) {
    say(`scenario ${scenario.number}: ${scenario.title}`);
    const beganMs = performance.now();
    const text = renderResult(scenario, await scenario.run(bench));
    console.log(`\n${text}\n`);
    say(`took ${((performance.now() - beganMs) / 1000).toFixed(0)} s`);
    const date = new Date().toISOString().slice(0, 16).replace("T", " ");
    if (!values["no-write"]) await writeInto(page, scenario, { text, machine, command, date });
  }
}

async function finish(exitCode: number): Promise<void> {
  clearTimeout(deadline);
  for (const end of ends.splice(0).reverse())
    await Promise.resolve(end()).catch((error: unknown) => console.error(error));
  process.exit(exitCode);
}
