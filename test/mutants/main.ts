/**
 * `npm run mutants`: makes one mistake after the other in a copy of the sources and looks whether the tests named for it
 * fail. Prints what survived. `npm run mutants -- logs- git-moved` tries those whose names hold one of these parts.
 */
import { mutants } from "./all.ts";
import type { Mutant } from "./mutant.ts";
import { onBed } from "../support/on-bed.ts";
import { runTests } from "./run-tests.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";

/** As many as `npm test` has processes; each works in a sandbox of its own. */
const lanes = Number(process.env["VITEST_MAX_WORKERS"] ?? 2);
const cleanLimitMs = 30 * 60_000;
const mutantLimitMs = 5 * 60_000;

const parts = process.argv.slice(2);
const chosen = mutants.filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)));
const verdicts = { caught: 0, survived: [] as string[], untried: [] as string[] };
let isClean = false;
try {
  await onBed({ work: ({ signal }) => tryAll(signal) });
} catch (error) {
  console.error(error);
}
if (verdicts.survived.length > 0) console.log(`survived: ${verdicts.survived.join(", ")}`);
if (verdicts.untried.length > 0) console.log(`not tried: ${verdicts.untried.join(", ")}`);
const percent = ((100 * verdicts.caught) / Math.max(1, chosen.length)).toFixed(1);
console.log(`${verdicts.caught} of ${chosen.length} caught (${percent} %)`);
process.exit(isClean && chosen.length > 0 && verdicts.caught === chosen.length ? 0 : 1);

async function tryAll(signal: AbortSignal): Promise<void> {
  const sandboxes = await Promise.all(Array.from({ length: lanes }, createSandbox));
  try {
    isClean = (await Promise.all(sandboxes.map((sandbox, lane) => passes(sandbox, lane, signal)))).every(
      Boolean,
    );
    if (!isClean) return;
    const waiting = [...chosen];
    const work = async (sandbox: Sandbox) => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await tryOne(sandbox, next, signal);
    };
    await Promise.all(sandboxes.map(work));
  } finally {
    await Promise.all(sandboxes.map((sandbox) => sandbox.remove()));
  }
}

/** Whether this lane's share of the tests passes while nothing is wrong. */
async function passes({ root }: Sandbox, lane: number, signal: AbortSignal): Promise<boolean> {
  const { whole, parted } = testsOf(chosen);
  const mine = <T>(all: readonly T[]) => all.filter((_, index) => index % lanes === lane);
  const runs = [
    { files: mine(whole), only: [] },
    ...mine([...parted]).map(([file, only]) => ({ files: [file], only })),
  ].filter(({ files }) => files.length > 0);
  let allPass = true;
  for (const { files, only } of runs) {
    const began = performance.now();
    const { passed, failed, broken } = await runTests({
      root,
      files,
      only,
      bail: false,
      limitMs: cleanLimitMs,
      signal,
    });
    const problems = [...failed, ...broken];
    if (passed === 0) problems.push(`no test of ${files.join(", ")} ran`);
    for (const problem of problems) console.log(`fails without any mutant: ${problem}`);
    console.log(`${passed} tests of ${files.length} files pass without a mutant, ${seconds(began)} s`);
    allPass &&= problems.length === 0;
  }
  return allPass;
}

/** Files that some mutant needs whole, and of the others the names of their tests. */
function testsOf(all: readonly Mutant[]): { whole: string[]; parted: Map<string, string[]> } {
  const whole = new Set(all.filter(({ only }) => only === undefined).flatMap(({ tests }) => tests));
  const parted = new Map<string, string[]>();
  for (const { tests, only } of all)
    for (const file of tests)
      if (only !== undefined && !whole.has(file)) parted.set(file, [...(parted.get(file) ?? []), only]);
  return { whole: [...whole], parted };
}

async function tryOne({ root, put }: Sandbox, mutant: Mutant, signal: AbortSignal): Promise<void> {
  const began = performance.now();
  const { name, promise, tests, only } = mutant;
  const takeBack = await put(mutant);
  try {
    const { passed, failed, broken } = await runTests({
      root,
      files: tests,
      only: only === undefined ? [] : [only],
      bail: true,
      limitMs: mutantLimitMs,
      signal,
    });
    const say = (word: string, more: string) => console.log(`${word} ${seconds(began)} s  ${name}: ${more}`);
    if (failed.length > 0) {
      verdicts.caught += 1;
      say("caught   ", promise);
    } else if (broken.length > 0 || passed === 0) {
      verdicts.untried.push(name);
      say("NOT TRIED", broken.join("\n") || "no test ran");
    } else {
      verdicts.survived.push(name);
      say("SURVIVED ", promise);
    }
  } finally {
    await takeBack();
  }
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(0).padStart(3);
}
