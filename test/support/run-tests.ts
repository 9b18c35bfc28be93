/**
 * Runs Vitest on the files that are asked for. A file that fails is run once more, alone, after all others: what passes then
 * counts as passed and is printed as flaky, so that its cause is looked for.
 */
import { relative } from "node:path";
import { startVitest, type TestModule, type Vitest } from "vitest/node";
import { countTests, type Counts } from "./test-counts.ts";

export interface Failure {
  /** Absolute path. */
  file: string;
  /** The first line of the first error. */
  reason: string;
}

/** Where more files than these fail, something is broken, and trying again tells nothing. */
const maxTriedAgain = 10;

/** `filters`: parts of paths, as Vitest takes them; none means all. */
export async function runTests(filters: readonly string[]): Promise<Counts> {
  const vitest = await startVitest([...filters], { run: true, watch: false });
  try {
    const failures = failuresOf(vitest);
    if (failures.length > 0 && failures.length <= maxTriedAgain && errorsOutside(vitest) === 0)
      for (const failure of failures) await tryAgain(vitest, failure);
    return countTests(vitest.state.getTestModules(), vitest.state.getUnhandledErrors().length);
  } finally {
    await vitest.close();
  }
}

async function tryAgain(vitest: Vitest, { file, reason }: Failure): Promise<void> {
  await vitest.rerunTestSpecifications(vitest.getModuleSpecifications(file));
  const failsAgain = failuresOf(vitest).some((failure) => failure.file === file);
  if (!failsAgain) console.log(`flaky: ${relative(process.cwd(), file)} – ${reason}`);
}

function failuresOf(vitest: Vitest): Failure[] {
  const found = new Map<string, string>();
  for (const module of vitest.state.getTestModules())
    if (module.state() === "failed") found.set(module.moduleId, firstError(module));
  for (const error of vitest.state.getUnhandledErrors()) {
    const { VITEST_TEST_PATH: file, message } = error as { VITEST_TEST_PATH?: string; message?: string };
    if (file !== undefined && !found.has(file)) found.set(file, firstLine(message));
  }
  return [...found].map(([file, reason]) => ({ file, reason }));
}

/** Errors that belong to no file: nothing could be run again for them. */
function errorsOutside(vitest: Vitest): number {
  return vitest.state.getUnhandledErrors().filter((error) => !("VITEST_TEST_PATH" in (error as object)))
    .length;
}

function firstError(module: TestModule): string {
  const ofTests = [...module.children.allTests("failed")].flatMap((test) => test.result().errors ?? []);
  const ofSuites = [...module.children.allSuites()].flatMap((suite) => suite.errors());
  return firstLine([...module.errors(), ...ofSuites, ...ofTests][0]?.message);
}

function firstLine(text: string | undefined): string {
  return (text ?? "failed without a word").split("\n")[0] ?? "";
}
