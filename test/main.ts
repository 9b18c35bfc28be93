/**
 * `npm test`: makes the test bed, runs Vitest on all tests or on those named, and prints the counts last.
 * Arguments are passed on to Vitest: `npm test -- test/integration/git`. `npm test -- --changed` runs what differs from
 * `origin/main` can touch, `--changed=REF` from another commit (`support/changed/`).
 */
import { run } from "@forgeline/launcher/run.ts";
import { ensureSchemathesis } from "../scripts/fuzz/schemathesis.ts";
import { requestedFiles } from "./support/changed/requested-files.ts";
import { ensureDulwich } from "./support/dulwich.ts";
import { ensureStandardWebhooks } from "./support/standard-webhooks.ts";
import { onBed, printLine } from "./support/on-bed.ts";
import { ensureOtlpDecoder } from "./support/otlp/decode.ts";
import { bundlePrograms } from "./support/program-bundles.ts";
import { runTests } from "./support/run-tests.ts";
import type { Counts } from "./support/test-counts.ts";
import { ensureVersitygw } from "./support/versitygw.ts";

let counts: Counts = { passed: 0, failed: 1, skipped: 0 };
let isAnyAsked = true;
try {
  const files = await requestedFiles(process.argv.slice(2), printLine);
  isAnyAsked = files !== undefined;
  counts = files === undefined ? { passed: 0, failed: 0, skipped: 0 } : await runOnBed(files);
} catch (error) {
  // Nothing could be tested, or the bed broke: that is a failure too, and the last line says so.
  console.error(error);
  counts = { ...counts, failed: Math.max(1, counts.failed) };
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed > 0 || (isAnyAsked && counts.passed === 0) ? 1 : 0);

function runOnBed(files: readonly string[]): Promise<Counts> {
  return onBed({
    makeReady,
    async work(stop) {
      const stopped = stop.asked.then(() => stop.signal.throwIfAborted());
      return (await Promise.race([runTests(files), stopped])) ?? counts;
    },
  });
}

/** What tests use beside the bed; made before them, since a test has no time to wait for it. */
async function makeReady(cache: string): Promise<void> {
  const web = run(process.execPath, ["web/build.ts"], { env: process.env }).then((text) =>
    printLine(`web interface: ${text.trim()}`),
  );
  // Tests of what is missing fail, and say the same.
  const fetched = [
    ensureVersitygw(cache, printLine),
    ensureSchemathesis(cache, printLine),
    ensureDulwich(cache, printLine),
    ensureStandardWebhooks(cache, printLine),
    ensureOtlpDecoder(cache, printLine),
  ];
  await Promise.all([
    web,
    bundlePrograms(),
    ...fetched.map((one) => one.catch((error: Error) => printLine(error.message))),
  ]);
}
