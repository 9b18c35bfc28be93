/**
 * The agent's side of the supervisor: hands it steps and signals through FIFOs, and learns of exits from files.
 * Nothing here asks the Docker daemon, so steps are seen to their end while it is down.
 */
import { constants } from "node:fs";
import { chmod, mkdir, open, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { readJobFile } from "../job-file.ts";
import { whenChanged } from "../file-change.ts";
import { supervisorScript } from "./supervisor-script.ts";

const run = promisify(execFile);
const pollMs = 250;

export interface SupervisorDirectories {
  /** Scripts and FIFOs; read-only inside; on a memory file system where there is one. */
  inDir: string;
  outDir: string;
  stateDir: string;
}

export interface SupervisorExit {
  code: number;
  oomKills: number;
  forksRefused: number;
}

export interface Supervisor {
  directories: SupervisorDirectories;
  /** Resolves true when the supervisor waits for steps, false when `stillStarting` says it never will. */
  whenReady(stillStarting: () => Promise<boolean>, signal: AbortSignal): Promise<boolean>;
  /** false when no supervisor is there. Asking twice for a position runs it once. */
  start(position: number, launcher: string, script: string): Promise<boolean>;
  signal(position: number, name: "TERM" | "KILL" | "ALL"): Promise<boolean>;
  /** Whether the step has told its process id, which it does in a file that is empty for a moment. */
  signallable(position: number): Promise<boolean>;
  /** Whether the container's processes are there; asks the kernel, not the daemon. */
  alive(): Promise<boolean>;
  begun(position: number): Promise<boolean>;
  exit(position: number): Promise<SupervisorExit | null>;
  /** "lost" when the container's processes are gone and no exit was written. */
  whenEnded(position: number, signal: AbortSignal): Promise<SupervisorExit | "lost">;
  /** Removes scripts, which hold secrets, of a step that ended. */
  forget(position: number): Promise<void>;
}

/** Makes them anew. Modes let any user of an image in; the parents on the host are closed to everyone else. */
export async function makeSupervisorDirectories(directories: SupervisorDirectories): Promise<void> {
  const { inDir, outDir, stateDir } = directories;
  // Left by an agent that died before any step began: its `ready` would be believed, its FIFOs be in the way.
  for (const directory of [inDir, stateDir]) await rm(directory, { recursive: true, force: true });
  for (const directory of [inDir, outDir, stateDir]) await mkdir(directory, { recursive: true });
  for (const directory of [outDir, stateDir]) await chmod(directory, 0o777);
  await chmod(inDir, 0o755);
  const fifos = [join(inDir, "run"), join(inDir, "signal")];
  await run("mkfifo", ["-m", "666", ...fifos]);
  await writeReadable(join(inDir, "supervisor.sh"), supervisorScript);
}

async function writeReadable(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o644 });
}

/** One line into a FIFO; false when nobody has it open for reading. */
async function tell(fifo: string, line: string): Promise<boolean> {
  try {
    const handle = await open(fifo, constants.O_WRONLY | constants.O_NONBLOCK);
    try {
      await handle.write(`${line}\n`);
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENXIO" || code === "ENOENT" || code === "EPIPE") return false;
    throw error;
  }
}

async function hasReader(fifo: string): Promise<boolean> {
  try {
    await (await open(fifo, constants.O_WRONLY | constants.O_NONBLOCK)).close();
    return true;
  } catch {
    return false;
  }
}

/** A line without its end is one still being written. */
export function parseExit(text: string): SupervisorExit | null {
  const match = /^(\d{1,3}) (-?\d+) (-?\d+)\n/.exec(text);
  if (match === null) return null;
  return { code: Number(match[1]), oomKills: Number(match[2]), forksRefused: Number(match[3]) };
}

export function createSupervisor(directories: SupervisorDirectories): Supervisor {
  const { inDir, stateDir } = directories;
  const state = (name: string): Promise<Buffer | null> => readJobFile(join(stateDir, name), 256);
  const exit = async (position: number): Promise<SupervisorExit | null> => {
    const text = await state(`step-${String(position)}.exit`);
    return text === null ? null : parseExit(text.toString("latin1"));
  };
  return {
    directories,
    exit,
    whenReady: (stillStarting, signal) =>
      whenChanged({ directory: stateDir, pollMs, signal }, async () => {
        if ((await state("ready"))?.includes("\n") === true) return true;
        return (await stillStarting()) ? null : false;
      }),
    async start(position, launcher, script) {
      const name = join(inDir, `step-${String(position)}`);
      await Promise.all([writeReadable(`${name}.env`, launcher), writeReadable(`${name}.sh`, script)]);
      return tell(join(inDir, "run"), String(position));
    },
    signal: (position, name) => tell(join(inDir, "signal"), `${String(position)} ${name}`),
    signallable: async (position) => (await state(`step-${String(position)}.pid`))?.includes("\n") === true,
    alive: () => hasReader(join(inDir, "run")),
    begun: async (position) => (await state(`step-${String(position)}.begun`)) !== null,
    whenEnded: (position, signal) =>
      whenChanged<SupervisorExit | "lost">({ directory: stateDir, pollMs, signal }, async () => {
        const ended = await exit(position);
        if (ended !== null) return ended;
        if (await hasReader(join(inDir, "run"))) return null;
        // It may have written its last word between the two looks.
        return (await exit(position)) ?? "lost";
      }),
    async forget(position) {
      const name = join(inDir, `step-${String(position)}`);
      await Promise.all([rm(`${name}.env`, { force: true }), rm(`${name}.sh`, { force: true })]);
    },
  };
}
