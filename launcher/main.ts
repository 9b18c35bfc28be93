/**
 * `npm start`: sets up all it needs, starts an instance, runs the demo, and stays up until Ctrl-C or `npm run stop`.
 * `--no-demo` leaves the demo out; `--detach` returns once everything is ready.
 */
import { rm } from "node:fs/promises";
import { parseArgs } from "node:util";
import { refuseHalfRestored } from "./after-restore.ts";
import { addressForPrograms } from "./addresses.ts";
import { loadLauncherConfig, type LauncherConfig } from "./config.ts";
import { writeConnectionFile, type ConnectionFile } from "./connection-file.ts";
import { createConsole } from "./console.ts";
import { runDemo } from "./demo.ts";
import { startDetached } from "./detach.ts";
import { requireGit } from "./git.ts";
import { claimHome, openHome, releaseHome, type HomePaths } from "./home.ts";
import { startInstance, type Instance } from "./instance.ts";
import { endStaleProcesses } from "./stale-processes.ts";
import { listenForStop, type StopRequest } from "./stop-request.ts";
import { printSummary } from "./print-summary.ts";

interface Flags {
  "no-demo": boolean;
  detach: boolean;
  /** Of what `--detach` starts: it says itself where things are. */
  background: boolean;
}

const console = createConsole();
// A reader of our output that goes away (`npm start | head`) must not end the instance without its children.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
try {
  const flags = readFlags();
  const config = loadLauncherConfig();
  // What goes on in the background outlives whoever started it.
  const stop = listenForStop({ withStarter: !flags.detach && !flags.background });
  if (flags.detach)
    process.exitCode = await startDetached({ config, noDemo: flags["no-demo"], console, stop });
  else await stayUp(config, flags, stop);
} catch (error) {
  console.problem("failed", (error as Error).message);
  process.exitCode = 1;
}

function readFlags(): Flags {
  const { values } = parseArgs({
    options: {
      "no-demo": { type: "boolean", default: false },
      detach: { type: "boolean", default: false },
      background: { type: "boolean", default: false },
    },
  });
  return values;
}

async function stayUp(config: LauncherConfig, flags: Flags, stop: StopRequest): Promise<void> {
  await requireGit(config.inherited);
  const paths = await openHome(config.home);
  await claimHome(paths);
  let instance: Instance | undefined;
  try {
    await refuseHalfRestored(paths);
    console.say("forgeline", `home ${paths.root}`);
    const ended = await endStaleProcesses(paths.processes, { keepJobs: true });
    if (ended.length > 0)
      console.say("forgeline", `ended processes of an earlier start: ${ended.join(", ")}`);
    let publish: (() => Promise<ConnectionFile>) | undefined;
    const started = await startInstance({
      config,
      paths,
      console,
      signal: stop.signal,
      onRestart: () => void publish?.().catch(() => undefined),
    });
    instance = started;
    const url = await programAddress(started);
    publish = () => writeConnection(paths, started, url);
    const connection = await publish();
    if (!flags["no-demo"]) await showDemo({ config, paths }, instance, stop);
    if (!flags.background) printSummary(console, { paths, connection });
    await stop.asked;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    console.blank();
    console.say("forgeline", "stopping");
    await rm(paths.connectionFile, { force: true });
    await instance?.stop();
    await rm(paths.processes, { recursive: true, force: true });
    await releaseHome(paths);
    console.say("forgeline", "stopped; all data is kept for the next start");
  }
}

async function programAddress({ addresses, certificates }: Instance): Promise<string> {
  const url = await addressForPrograms(addresses, certificates.caFile);
  if (url !== addresses.publicUrl)
    console.say("forgeline", `${addresses.publicUrl} cannot be reached from this machine: use ${url} here`);
  return url;
}

function writeConnection(paths: HomePaths, instance: Instance, url: string): Promise<ConnectionFile> {
  const { certificates, ports, secrets } = instance;
  const pids = Object.fromEntries(instance.processes.map((p) => [p.name, p.pid() ?? 0]));
  return writeConnectionFile(paths, {
    url,
    caFile: certificates.caFile,
    ports,
    secrets,
    pids: { launcher: process.pid, ...pids },
  });
}

/** An instance whose demo did not work is of use all the same. */
async function showDemo(
  { config, paths }: { config: LauncherConfig; paths: HomePaths },
  instance: Instance,
  { signal }: StopRequest,
): Promise<void> {
  try {
    await runDemo({ instance, paths, console, env: config.inherited, signal });
  } catch (error) {
    signal.throwIfAborted();
    console.problem("demo", (error as Error).message);
  }
}
