/**
 * A Docker daemon as our child, where the machine has no service manager. Several instances on a machine share one
 * daemon: each leaves its pid in a directory, and the last one to go ends it.
 */
import { spawn } from "node:child_process";
import { mkdir, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { daemonFlags, dataRootIn } from "./daemon-flags.ts";
import { failedOnNetworkRecords, setAsideNetworkRecords } from "./network-records.ts";
import { waitFor } from "../wait-for.ts";
import type { FoundDocker } from "./find.ts";
import { isAlive } from "../is-alive.ts";

export interface DockerdOptions {
  dockerd: string;
  runDirectory: string;
  env: NodeJS.ProcessEnv;
  say: (line: string) => void;
  connect: (host: string) => Promise<FoundDocker | undefined>;
  signal?: AbortSignal | undefined;
  /** Where it listens, keeps its data, and further flags; without it those of the machine's only daemon. */
  place?: DaemonPlace;
}

export interface DaemonPlace {
  socket: string;
  dataRoot: string;
  flags: string[];
}

class DaemonDied extends Error {}

export async function startDockerd(options: DockerdOptions): Promise<FoundDocker> {
  options.say("starting dockerd");
  const logFile = join(options.runDirectory, "dockerd.log");
  await mkdir(options.runDirectory, { recursive: true });
  const place = options.place ?? (await usualPlace());
  const logged = await stat(logFile).then(
    ({ size }) => size,
    () => 0,
  );
  try {
    return await spawnDockerd(options, place, logFile);
  } catch (error) {
    if (!(error instanceof DaemonDied)) throw error;
    const output = (await readFile(logFile)).subarray(logged).toString();
    if (!failedOnNetworkRecords(output)) throw error;
    const aside = await setAsideNetworkRecords(place.dataRoot);
    options.say(`dockerd cannot read its network records: moved to ${aside}, starting again`);
    return spawnDockerd(options, place, logFile);
  }
}

async function usualPlace(): Promise<DaemonPlace> {
  const [routes, settings] = await Promise.all(
    ["/proc/net/route", "/etc/docker/daemon.json"].map((path) =>
      readFile(path, "utf8").catch(() => undefined),
    ),
  );
  return {
    socket: "/var/run/docker.sock",
    dataRoot: dataRootIn(settings) ?? "/var/lib/docker",
    flags: daemonFlags(routes ?? "", settings),
  };
}

async function spawnDockerd(
  options: DockerdOptions,
  place: DaemonPlace,
  logFile: string,
): Promise<FoundDocker> {
  const log = await open(logFile, "a");
  const child = spawn(options.dockerd, [...place.flags, "--host", `unix://${place.socket}`], {
    // It starts itself again several times for each container, and collects garbage each time: a third of what that costs.
    env: { GOGC: "400", ...options.env, PATH: `${options.env["PATH"] ?? ""}:/usr/sbin:/sbin` },
    stdio: ["ignore", log.fd, log.fd],
    detached: true,
  });
  const died = new AbortController();
  child.once("exit", (code) => died.abort(new DaemonDied(`dockerd ended with ${code}; see ${logFile}`)));
  child.once("error", (error) => died.abort(error));
  child.unref();
  await log.close();
  const found = await waitFor(() => options.connect(`unix://${place.socket}`), {
    what: "dockerd's start",
    timeoutMs: 60_000,
    signal: options.signal ? AbortSignal.any([died.signal, options.signal]) : died.signal,
  }).catch((error: unknown) => {
    child.kill("SIGTERM");
    throw error;
  });
  await writeFile(pidFile(options.runDirectory), String(child.pid));
  return { ...found, origin: `dockerd, started by us (log: ${logFile})` };
}

/** Says that this process uses the daemon; the returned function ends a daemon of ours when nobody else does. */
export async function shareDockerd(runDirectory: string): Promise<() => Promise<void>> {
  const users = join(runDirectory, "users");
  await mkdir(users, { recursive: true });
  const mine = join(users, String(process.pid));
  await writeFile(mine, "");
  return async () => {
    await rm(mine, { force: true });
    const others: string[] = [];
    for (const pid of await readdir(users))
      if (isAlive(Number(pid))) others.push(pid);
      // Left by one that was killed.
      else await rm(join(users, pid), { force: true });
    const daemon = Number(await readFile(pidFile(runDirectory), "utf8").catch(() => "0"));
    if (others.length > 0 || !daemon || !(await isDockerd(daemon))) return;
    process.kill(daemon, "SIGTERM");
    await waitFor(async () => (isAlive(daemon) ? undefined : true), {
      what: "dockerd's end",
      timeoutMs: 30_000,
    });
    await rm(pidFile(runDirectory), { force: true });
  };
}

function pidFile(runDirectory: string): string {
  return join(runDirectory, "dockerd.pid");
}

/** The pid may have been given to another program since. */
async function isDockerd(pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).includes("dockerd");
}
