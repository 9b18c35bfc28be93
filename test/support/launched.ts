/** A whole instance started as users start it, with `npm start`, in a home of its own and on free ports. */
import { execFile, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Docker from "dockerode";
import type { ConnectionFile } from "@forgeline/launcher/connection-file.ts";
import { guard } from "./guard.ts";

export interface Finished {
  code: number | null;
  output: string;
}

export interface LaunchHome {
  directory: string;
  env: NodeJS.ProcessEnv;
  /** `npm start -- …args`, in the foreground of its own process group. */
  start(...args: string[]): Running;
  stop(): Promise<Finished>;
  connection(): Promise<ConnectionFile>;
  /** Command lines of living processes that belong to this home. */
  processes(): Promise<string[]>;
  /** Names of containers, networks and volumes of this home's runner. */
  dockerObjects(): Promise<string[]>;
  remove(): Promise<void>;
}

export interface Running {
  pid: number;
  output(): string;
  finished: Promise<Finished>;
  /** To the whole process group, as a terminal does. */
  signal(name: NodeJS.Signals): void;
  /** As when the other end of a pipe exits. */
  closeOutput(): void;
}

/** Those of this machine's own settings that are there: where things are kept, and how it reaches the registries. */
export function machineSettings(names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

export async function launchHome(extra: NodeJS.ProcessEnv = {}): Promise<LaunchHome> {
  const directory = await mkdtemp(join(tmpdir(), "forgeline-launch-"));
  const env = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    ...machineSettings(["FORGELINE_CACHE"]),
    FORGELINE_HOME: directory,
    FORGELINE_HTTPS_PORT: "0",
    FORGELINE_HTTP_PORT: "0",
    FORGELINE_SSH_PORT: "0",
    ...extra,
  };
  const script = (file: string, args: string[]) =>
    spawnGroup(process.execPath, ["scripts/bootstrap.mjs", file, ...args], env);
  const stop = () => script("launcher/stop.ts", []).finished;
  const { dismiss } = guard(killAllOf, directory);
  return {
    directory,
    env,
    start: (...args) => script("launcher/main.ts", args),
    stop,
    connection: async () =>
      JSON.parse(await readFile(join(directory, "connection.json"), "utf8")) as ConnectionFile,
    processes: () => Promise.resolve(processesOf(directory)),
    dockerObjects: () => dockerObjectsOf(directory),
    async remove() {
      await stop();
      dismiss();
      for (const path of [directory, `${directory}-postgresql`])
        await rm(path, { recursive: true, force: true });
    },
  };
}

/**
 * What an instance has started runs on without its test; all of it has its home in the environment or the arguments. More than
 * once, since a launcher starts again what dies before itself.
 */
const killAllOf = `for round in 1 2 3; do
  for process in /proc/[0-9]*; do
    [ "$process" = "/proc/$$" ] && continue
    cat "$process/environ" "$process/cmdline" 2>/dev/null | grep -qaF "$1" && kill -s KILL "\${process#/proc/}"
  done
  sleep 1
done`;

export function spawnGroup(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Running {
  const child = spawn(command, args, { env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => (output += text));
  }
  const pid = child.pid ?? 0;
  const finished = new Promise<Finished>((resolve) => {
    // `exit`, not `close`: what runs in the background may hold our pipes.
    child.once("exit", (code) => setImmediate(() => resolve({ code, output })));
  });
  return {
    pid,
    output: () => output,
    finished,
    signal: (name) => void process.kill(-pid, name),
    closeOutput() {
      child.stdout.destroy();
      child.stderr.destroy();
    },
  };
}

/** Read at once: hundreds of small files by turns with other threads keep a core busy for whoever waits for an end. */
function processesOf(directory: string): string[] {
  const found: string[] = [];
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const [command, environment] = [readOf(pid, "cmdline"), readOf(pid, "environ")];
    if (Number(pid) === process.pid || command.includes("\0guard\0")) continue;
    if (command.includes(directory) || environment.includes(directory))
      found.push(`${pid} ${command.replaceAll("\0", " ").trim()}`);
  }
  return found.filter((line) => line.includes(" "));
}

/** Empty when the process is gone. */
function readOf(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

async function dockerObjectsOf(directory: string): Promise<string[]> {
  const text = await readFile(join(directory, "runner", "runner.json"), "utf8").catch(() => undefined);
  if (text === undefined) return [];
  const { id } = JSON.parse(text) as { id: string };
  const docker = new Docker();
  const filters = { label: [`forgeline.runner=${id}`] };
  const containers = await docker.listContainers({ all: true, filters });
  const networks = await docker.listNetworks({ filters });
  const { Volumes: volumes } = await docker.listVolumes({ filters });
  return [
    ...containers.map((c) => c.Names[0] ?? c.Id),
    ...networks.map((n) => n.Name),
    ...volumes.map((v) => v.Name),
  ];
}

/** Output of a program that must succeed. */
export function outputOf(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) =>
    execFile(command, args, { env }, (error, stdout, stderr) =>
      error ? reject(new Error(`${error.message}\n${stderr}`)) : resolve(stdout),
    ),
  );
}
