/**
 * `npm test`: makes the test bed, runs Vitest on all tests or on those named, and prints the counts last.
 * Arguments are passed on to Vitest: `npm test -- test/integration/git`.
 */
import { join } from "node:path";
import { ensureDocker } from "@forgeline/launcher/docker/find.ts";
import { ensureBaseImage } from "@forgeline/launcher/base-image.ts";
import { loadLauncherConfig } from "@forgeline/launcher/config.ts";
import { run } from "@forgeline/launcher/run.ts";
import { listenForStop } from "@forgeline/launcher/stop-request.ts";
import { ensureSchemathesis } from "../scripts/fuzz/schemathesis.ts";
import { startBed } from "./support/bed.ts";
import { compileCache } from "./support/compile-cache.ts";
import { ensureDulwich } from "./support/dulwich.ts";
import { bundlePrograms } from "./support/program-bundles.ts";
import { setUpPrograms } from "./support/programs/set-up.ts";
import { makeRunDirectory, removeRunDirectory } from "./support/run-directory.ts";
import { runTests } from "./support/run-tests.ts";
import type { Counts } from "./support/test-counts.ts";
import { ensureVersitygw } from "./support/versitygw.ts";

const say = (line: string) => console.log(`test bed       ${line}`);

let counts: Counts = { passed: 0, failed: 1, skipped: 0 };
try {
  counts = await onBed(() => runTests(process.argv.slice(2)));
} catch (error) {
  // Nothing could be tested, or the bed broke: that is a failure too, and the last line says so.
  console.error(error);
  counts = { ...counts, failed: Math.max(1, counts.failed) };
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed > 0 || counts.passed === 0 ? 1 : 0);

/** Docker, PostgreSQL and Temporal for the time of `work`; they are stopped in any case, also at Ctrl-C. */
async function onBed(work: () => Promise<Counts>): Promise<Counts> {
  const config = loadLauncherConfig();
  const stop = listenForStop();
  await setUpPrograms({ env: config.inherited, say, signal: stop.signal });
  const docker = await ensureDocker({
    dockerHost: config.dockerHost,
    env: config.inherited,
    runDirectory: join(config.cache, "docker"),
    say,
    signal: stop.signal,
  });
  const directory = await makeRunDirectory();
  try {
    const starting = startBed({ directory, say });
    try {
      const ready = [ensureBaseImage(docker.client), makeReady(config.cache)];
      const [running] = await Promise.all([starting, ...ready]);
      process.env["FORGELINE_TEST_BED"] = running.file;
      process.env["TMPDIR"] = directory;
      Object.assign(process.env, compileCache);
      const stopped = stop.asked.then(() => stop.signal.throwIfAborted());
      return (await Promise.race([work(), stopped])) ?? counts;
    } finally {
      await starting.then(
        (running) => running.stop(),
        () => undefined,
      );
    }
  } finally {
    await docker.stop();
    await removeRunDirectory(directory);
  }
}

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
