/**
 * `npm test`: makes the test bed, runs Vitest on all tests or on those named, and prints the counts last.
 * Arguments are passed on to Vitest: `npm test -- test/integration/git`.
 */
import { run } from "@forgeline/launcher/run.ts";
import { ensureSchemathesis } from "../scripts/fuzz/schemathesis.ts";
import { ensureDulwich } from "./support/dulwich.ts";
import { onBed, say } from "./support/on-bed.ts";
import { bundlePrograms } from "./support/program-bundles.ts";
import { runTests } from "./support/run-tests.ts";
import type { Counts } from "./support/test-counts.ts";
import { ensureVersitygw } from "./support/versitygw.ts";

let counts: Counts = { passed: 0, failed: 1, skipped: 0 };
try {
  counts = await onBed({
    makeReady,
    async work(stop) {
      const stopped = stop.asked.then(() => stop.signal.throwIfAborted());
      return (await Promise.race([runTests(process.argv.slice(2)), stopped])) ?? counts;
    },
  });
} catch (error) {
  // Nothing could be tested, or the bed broke: that is a failure too, and the last line says so.
  console.error(error);
  counts = { ...counts, failed: Math.max(1, counts.failed) };
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed > 0 || counts.passed === 0 ? 1 : 0);

/** What tests use beside the bed; made before them, since a test has no time to wait for it. */
async function makeReady(cache: string): Promise<void> {
  const web = run(process.execPath, ["web/build.ts"], { env: process.env }).then((text) =>
    say(`web interface: ${text.trim()}`),
  );
  // Tests of what is missing fail, and say the same.
  const fetched = [ensureVersitygw(cache, say), ensureSchemathesis(cache, say), ensureDulwich(cache, say)];
  await Promise.all([
    web,
    bundlePrograms(),
    ...fetched.map((one) => one.catch((error: Error) => say(error.message))),
  ]);
}
