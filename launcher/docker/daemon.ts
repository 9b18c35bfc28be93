/**
 * A Docker daemon as our child, where the machine has no service manager. Several instances on a machine share one
 * daemon: each leaves its pid in a directory, and the last one to go ends it.
 */
import { spawn } from "node:child_process";
import { mkdir, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { daemonFlags } from "./daemon-flags.ts";
import { waitFor } from "../wait-for.ts";
import type { FoundDocker } from "./find.ts";

export interface DockerdOptions {
  dockerd: string;
  runDirectory: string;
  env: NodeJS.ProcessEnv;
  say: (line: string) => void;
  connect: (host: string) => Promise<FoundDocker | undefined>;
  signal?: AbortSignal | undefined;
}

const socket = "/var/run/docker.sock";

export async function startDockerd(options: DockerdOptions): Promise<FoundDocker> {
  options.say("starting dockerd");
  const logFile = join(options.runDirectory, "dockerd.log");
  await mkdir(options.runDirectory, { recursive: true });
  const log = await open(logFile, "a");
  const [routes, settings] = await Promise.all(
    ["/proc/net/route", "/etc/docker/daemon.json"].map((path) =>
      readFile(path, "utf8").catch(() => undefined),
    ),
  );
  const args = [...daemonFlags(routes ?? "", settings), "--host", `unix://${socket}`];
  const child = spawn(options.dockerd, args, {
    env: { ...options.env, PATH: `${options.env["PATH"] ?? ""}:/usr/sbin:/sbin` },
    stdio: ["ignore", log.fd, log.fd],
    detached: true,
  });
  const died = new AbortController();
  child.once("exit", (code) => died.abort(new Error(`dockerd ended with ${code}; see ${logFile}`)));
  child.once("error", (error) => died.abort(error));
  child.unref();
  await log.close();
  const found = await waitFor(() => options.connect(`unix://${socket}`), {
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The pid may have been given to another program since. */
async function isDockerd(pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).includes("dockerd");
}
