/**
 * `npm run bench [-- --only 1,2] [--size tiny] [--rounds 10] [--rows 1000000] [--minutes 8] [--no-write]`: measures the figures that the issues set
 * limits for, each against its baseline in the same run, prints them, and writes those of full size into `bench/README.md`. Never
 * fails for a slow figure: times are read by people, not asserted.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startBench, type Cleanup } from "./bed.ts";
import { prepareMachine } from "./machine.ts";
import { describeMachine, renderResult, writeInto } from "./report.ts";
import { scenarios } from "./scenarios.ts";
import { sizes } from "./size.ts";

const page = fileURLToPath(new URL("README.md", import.meta.url));

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    size: { type: "string", default: "full" },
    rounds: { type: "string" },
    rows: { type: "string" },
    minutes: { type: "string", default: "8" },
    "no-write": { type: "boolean", default: false },
  },
});
if (values.size !== "full" && values.size !== "tiny") throw new Error("--size is full or tiny");
const isTiny = values.size === "tiny";
const size = {
  ...sizes[values.size],
  ...(values.rounds === undefined ? {} : { rounds: Number(values.rounds) }),
  ...(values.rows === undefined ? {} : { rows: Number(values.rows) }),
};
const only = values.only?.split(",").map(Number);
const chosen = scenarios.filter(({ number, isLong }) => (only ? only.includes(number) : isTiny || !isLong));
const given = [
  ...(only ? [`--only ${only.join(",")}`] : []),
  ...(values.rounds === undefined ? [] : [`--rounds ${values.rounds}`]),
  ...(values.rows === undefined ? [] : [`--rows ${values.rows}`]),
];
const command = ["npm run bench", ...(given.length > 0 ? ["--", ...given] : [])].join(" ");
const say = (line: string) => console.log(`bench          ${line}`);
const ends: Cleanup[] = [];
const deadline = setTimeout(
  () => {
    console.error(`bench          stopped: over ${values.minutes} minutes`);
    void finish(1);
  },
  Number(values.minutes) * 60_000,
);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void finish(1));

try {
  await measure();
  await finish(0);
} catch (error) {
  console.error(error);
  await finish(1);
}

async function measure(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "forgeline-bench-"));
  ends.push(() => rm(directory, { recursive: true, force: true }));
  // PostgreSQL runs as another user when we are root and has to pass through.
  await chmod(directory, 0o755);
  const docker = await prepareMachine({ directory, say, ends });
  const bench = await startBench({ size, docker, directory, say, ends });
  const machine = await describeMachine(docker);
  for (const scenario of chosen) {
    say(`scenario ${scenario.number}: ${scenario.title(size)}`);
    const beganMs = performance.now();
    const text = renderResult(scenario, size, await scenario.run(bench));
    console.log(`\n${text}\n`);
    say(`took ${((performance.now() - beganMs) / 1000).toFixed(0)} s`);
    const date = new Date().toISOString().slice(0, 16).replace("T", " ");
    if (!values["no-write"] && !isTiny) await writeInto(page, scenario, { text, machine, command, date });
  }
}

async function finish(exitCode: number): Promise<void> {
  clearTimeout(deadline);
  for (const end of ends.splice(0).reverse())
    await Promise.resolve(end()).catch((error: unknown) => console.error(error));
  process.exit(exitCode);
}
