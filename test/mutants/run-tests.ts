/** Runs test files in a sandbox and says what came of them. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandError, run } from "@forgeline/launcher/run.ts";

export interface TestRun {
  /** Root of the sandbox. */
  root: string;
  files: readonly string[];
  /** Parts of full names of tests; all tests without one. */
  only: readonly string[];
  /** After the first failure nothing more is run. */
  bail: boolean;
  limitMs: number;
  signal: AbortSignal;
}

export interface TestOutcome {
  passed: number;
  /** Full names, with the file. */
  failed: string[];
  /** Why a file gave no verdict: it could not be loaded, or what comes before its tests failed. */
  broken: string[];
}

/** Rejects when it was asked to stop. */
export async function runTests(test: TestRun): Promise<TestOutcome> {
  const directory = await mkdtemp(join(tmpdir(), "forgeline-mutant-report-"));
  try {
    const report = join(directory, "report.json");
    const said = await startVitest(test, report);
    const text = await readFile(report, "utf8").catch(() => undefined);
    test.signal.throwIfAborted();
    if (text === undefined) return { passed: 0, failed: [], broken: [said] };
    return outcomeOf(JSON.parse(text) as Report, test.root);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Resolves with the last words of a run that left no report. */
async function startVitest({ root, files, only, bail, limitMs, signal }: TestRun, report: string) {
  const pattern = only.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  const args = [
    join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    ...files,
    "--reporter=json",
    `--outputFile=${report}`,
    "--maxWorkers=1",
    ...(bail ? ["--bail=1"] : []),
    ...(pattern === "" ? [] : ["-t", pattern]),
  ];
  const limit = AbortSignal.timeout(limitMs);
  const path = `${join(root, "node_modules/.bin")}:${process.env["PATH"]}`;
  try {
    return await run(process.execPath, args, {
      cwd: root,
      env: { ...process.env, PATH: path },
      signal: AbortSignal.any([signal, limit]),
    });
  } catch (error) {
    if (error instanceof CommandError) return error.output;
    return limit.aborted ? `no end after ${limitMs / 1000} s` : (error as Error).message;
  }
}

/** The part of Vitest's JSON report that is looked at. */
interface Report {
  numPassedTests: number;
  testResults: {
    name: string;
    status: "passed" | "failed";
    message: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

function outcomeOf({ numPassedTests, testResults }: Report, root: string): TestOutcome {
  const outcome: TestOutcome = { passed: numPassedTests, failed: [], broken: [] };
  for (const { name, status, message, assertionResults } of testResults) {
    const file = name.replace(`${root}/`, "");
    const failed = assertionResults.filter((test) => test.status === "failed");
    outcome.failed.push(...failed.map((test) => `${file}: ${test.fullName}`));
    if (status === "failed" && failed.length === 0) outcome.broken.push(`${file}: ${message}`);
  }
  return outcome;
}
