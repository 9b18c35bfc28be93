/** Collects the tests of a job, within its limits. Pure. */
import { maxJobTests, maxTestsWithDetails } from "@forgeline/schemas/reports/limits.ts";
import type { FoundReports, FoundTest } from "./found.ts";
import { readJunit } from "./junit.ts";

/** What is wrong with it. Throws `ReportError`. */
export function collectTests(bytes: Uint8Array, found: FoundReports): string[] {
  let isFull = false;
  let failed = found.tests.filter(({ details }) => details !== null).length;
  readJunit(bytes, (test) => {
    if (found.tests.length >= maxJobTests) isFull = true;
    else found.tests.push(limited(test));
  });
  return isFull ? [`a job can report ${maxJobTests} tests; the rest was left out`] : [];

  function limited(test: FoundTest): FoundTest {
    if (test.details === null) return test;
    failed += 1;
    return failed > maxTestsWithDetails ? { ...test, details: null } : test;
  }
}
