/**
 * The agent's side of `forgeline-init`: hands it steps and signals through a FIFO, and learns of exits from its journal.
 * Nothing here asks the Docker daemon, so steps are seen to their end while it is down. FIFO, journal and logs are opened
 * by process 1 before any program of the job runs, and then taken out of what the container sees (`docs/architecture/job-isolation.md`).
 */
import { constants } from "node:fs";
import { chmod, lstat, mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { EngineError } from "../engine.ts";
import { readJobFile } from "../job-file.ts";
import { whenChanged } from "../file-change.ts";
import { isOfStep, writeSecretFile, type SecretFile } from "./secret-files.ts";
import { parseJournal, type Journal, type SupervisorExit } from "./journal.ts";

const run = promisify(execFile);
const pollMs = 250;
/** A step has two lines of at most a hundred bytes. */
const journalBytes = 1024 * 1024;

export interface SupervisorPlaces {
  /** Scripts; read-only inside; on a memory file system where there is one. */
  inDir: string;
  /** The FIFO, once no container sees it. */
  control: string;
  /** What steps write for the runner to read, such as `$CI_OUTPUT`. */
  outDir: string;
  /** Journal and logs, once no container sees them. */
  ownDir: string;
}

/** What a step is begun with; removed when it has ended. */
export interface StepScripts {
  launcher: string;
  script: string;
  secretFiles: readonly SecretFile[];
}

/** Of the directory for journal and logs, as it was made. */
export type OwnInode = bigint;

export interface Supervisor {
  places: SupervisorPlaces;
  /**
   * Resolves with what it is when the supervisor waits for steps, with null when `stillStarting` says it never will. From
   * then on nothing in the container has a name for its FIFO, journal and logs.
   */
  whenReady(
    stillStarting: () => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<NonNullable<Journal["ready"]> | null>;
  journal(): Promise<Journal>;
  /** Gives the workspace to the user of the steps; false when that user may not. Only before the first step. */
  ownWorkspace(signal: AbortSignal): Promise<boolean>;
  /** false when no supervisor is there. Asking twice for a position runs it once. */
  start(position: number, scripts: StepScripts): Promise<boolean>;
  /** To the step's process group, or with "ALL" a KILL to everything in the container but the supervisor. */
  signal(position: number, name: "TERM" | "KILL" | "ALL"): Promise<boolean>;
  /** The container ends after this time, by itself; null: not any more. False when no supervisor is there. */
  fence(ms: number | null): Promise<boolean>;
  /** Whether the container's processes are there; asks the kernel, not the daemon. */
  alive(): Promise<boolean>;
  /** "lost" when the container's processes are gone and no exit was written. */
  whenEnded(position: number, signal: AbortSignal): Promise<SupervisorExit | "lost">;
  /** Removes scripts, which hold secrets, of a step that ended. */
  forget(position: number): Promise<void>;
}

/** Where the parts lie until the supervisor has opened them. */
function bootPlaces({ inDir, outDir }: SupervisorPlaces): { control: string; own: string } {
  return { control: join(inDir, "control"), own: join(outDir, "own") };
}

/**
 * Makes them again; resolves with the inode of the directory for journal and logs. Modes let any user of an image in; the parents
 * on the host are closed to everyone else.
 */
export async function makeSupervisorPlaces(places: SupervisorPlaces): Promise<OwnInode> {
  const { inDir, outDir, ownDir, control } = places;
  const boot = bootPlaces(places);
  // Left by an agent that died before any step began.
  for (const path of [inDir, outDir, ownDir, control]) await rm(path, { recursive: true, force: true });
  await mkdir(dirname(ownDir), { recursive: true });
  for (const directory of [inDir, boot.own]) await mkdir(directory, { recursive: true });
  await chmod(inDir, 0o755);
  for (const directory of [outDir, boot.own]) await chmod(directory, 0o777);
  await run("mkfifo", ["-m", "666", boot.control]);
  await writeFile(join(boot.own, "journal"), "");
  await chmod(join(boot.own, "journal"), 0o666);
  return (await lstat(boot.own, { bigint: true })).ino;
}

/** Waits for no reader, and follows no link, though no job has a name for the pipe. */
const fifoWriteFlags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** One line into a FIFO; false when nobody has it open for reading. */
async function tell(fifo: string, line: string): Promise<boolean> {
  try {
    const handle = await open(fifo, fifoWriteFlags);
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
    await (await open(fifo, fifoWriteFlags)).close();
    return true;
  } catch {
    return false;
  }
}

async function readJournal(directory: string): Promise<Journal> {
  const bytes = await readJobFile(join(directory, "journal"), journalBytes);
  return parseJournal(bytes?.toString("latin1") ?? "");
}

/**
 * The supervisor keeps what it has open; names are for the runner alone from here on. Nothing but our own program can have been
 * there; should it have been otherwise, no link is followed and no file of somebody else's taken for ours.
 */
async function takeAway(places: SupervisorPlaces, made: OwnInode): Promise<void> {
  const boot = bootPlaces(places);
  await rename(boot.own, places.ownDir);
  await rename(boot.control, places.control);
  const taken = await lstat(places.ownDir, { bigint: true });
  const names = taken.isDirectory() && taken.ino === made ? await readdir(places.ownDir) : [];
  if (names.length !== 1 || names[0] !== "journal")
    throw new EngineError("internal", "A process of the image was running before the step supervisor.");
}

/** `made`: what `makeSupervisorPlaces` told; null for one that is ready already. */
export function createSupervisor(places: SupervisorPlaces, made: OwnInode | null = null): Supervisor {
  const { inDir, ownDir, control } = places;
  const journal = (): Promise<Journal> => readJournal(ownDir);
  const scripts = (position: number): string => join(inDir, `step-${String(position)}`);
  return {
    places,
    journal,
    async whenReady(stillStarting, signal) {
      const { own } = bootPlaces(places);
      const ready = await whenChanged({ directory: own, pollMs, signal }, async () => {
        const told = (await readJournal(own)).ready;
        return told ?? ((await stillStarting()) ? null : "never");
      });
      if (ready === "never") return null;
      if (made !== null) await takeAway(places, made);
      return ready;
    },
    async ownWorkspace(signal) {
      if (!(await tell(control, "own workspace"))) return false;
      return whenChanged({ directory: ownDir, pollMs, signal }, async () => {
        const { owned } = await journal();
        return owned ?? ((await hasReader(control)) ? null : false);
      });
    },
    async start(position, { launcher, script, secretFiles }) {
      const name = scripts(position);
      const { ready } = await journal();
      await Promise.all([
        ...secretFiles.map((file) => writeSecretFile(join(inDir, file.name), file.content, ready)),
        writeFile(`${name}.env`, launcher, { mode: 0o644 }),
        writeFile(`${name}.sh`, script, { mode: 0o644 }),
      ]);
      return tell(control, `run ${String(position)}`);
    },
    signal: (position, name) =>
      tell(control, name === "ALL" ? "kill all" : `signal ${String(position)} ${name}`),
    fence: (ms) => tell(control, ms === null ? "fence off" : `fence ${String(Math.ceil(ms))}`),
    alive: () => hasReader(control),
    whenEnded: (position, signal) =>
      whenChanged<SupervisorExit | "lost">({ directory: ownDir, pollMs, signal }, async () => {
        const ended = (await journal()).ended.get(position);
        if (ended !== undefined) return ended;
        if (await hasReader(control)) return null;
        // It may have written its last word between the two looks.
        return (await journal()).ended.get(position) ?? "lost";
      }),
    async forget(position) {
      const own = (await readdir(inDir).catch(() => [])).filter((name) => isOfStep(name, position));
      await Promise.all(own.map((name) => rm(join(inDir, name), { force: true })));
    },
  };
}
