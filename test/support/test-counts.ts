/** How a run of tests ended, in numbers that leave nothing out: what could not run because of a failure has failed too. */
import type { TestCase, TestModule, TestSuite } from "vitest/node";

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** `unhandledErrors`: those outside of any test. */
export function countTests(modules: readonly TestModule[], unhandledErrors: number): Counts {
  const counts = { passed: 0, failed: unhandledErrors, skipped: 0 };
  for (const module of modules) countIn(module, { counts, couldNotRun: false });
  return counts;
}

interface Counting {
  counts: Counts;
  /** Something around it failed before it began, such as a `beforeAll`. */
  couldNotRun: boolean;
}

/** Vitest calls tests skipped that it did not run since a hook around them failed. */
function countIn(group: TestModule | TestSuite, { counts, couldNotRun }: Counting): void {
  const failedBefore = counts.failed;
  const isBroken = couldNotRun || group.errors().length > 0;
  for (const child of group.children)
    if (child.type === "test") counts[verdict(child, isBroken)] += 1;
    else countIn(child, { counts, couldNotRun: isBroken });
  // A failure after its tests, or of a file that has none, is one too.
  if (group.errors().length > 0 && counts.failed === failedBefore) counts.failed += 1;
}

function verdict(test: TestCase, isBroken: boolean): keyof Counts {
  const { state } = test.result();
  if (state === "passed" || state === "failed") return state;
  return isBroken || state === "pending" ? "failed" : "skipped";
}
