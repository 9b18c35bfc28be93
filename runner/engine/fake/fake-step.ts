/**
 * Plays the timeline of one step into files. All times count from the recorded start and all bytes have a fixed
 * position, so a second agent that takes the step up writes the same bytes at the same places and ends it alike.
 */
import { constants } from "node:fs";
import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { RunningStep, StepExit } from "../engine.ts";
import { whenChanged } from "../file-change.ts";
import { parseTimeline, type TimelineAction } from "./timeline.ts";

const StepRecord = z.object({ startedAtMs: z.number(), script: z.string() });
const StepEnd = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("exited"), code: z.number() }),
  z.object({ kind: z.literal("oom") }),
  z.object({ kind: z.literal("container_lost"), message: z.string() }),
]);
/** A timer cannot wait longer; nobody waits that long for a step either. */
const maxTimerMs = 2_000_000_000;

interface FakeFiles {
  directory: string;
  record: string;
  exit: string;
  output: string;
  ci: string;
}

function filesOf(directory: string, position: number): FakeFiles {
  const base = join(directory, `step-${String(position)}`);
  return { directory, record: `${base}.json`, exit: `${base}.exit`, output: `${base}.out`, ci: `${base}.ci` };
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

async function exitOf(files: FakeFiles): Promise<StepExit | null> {
  const text = await textOf(files.exit);
  return text === null || !text.endsWith("\n") ? null : StepEnd.parse(JSON.parse(text));
}

/** The first end counts, whoever writes it. */
async function end(files: FakeFiles, exit: StepExit): Promise<void> {
  try {
    await writeFile(files.exit, `${JSON.stringify(exit)}\n`, { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** As if its container were gone; nothing happens when it has ended. */
export function loseFakeStep(directory: string, position: number, message: string): Promise<void> {
  return end(filesOf(directory, position), { kind: "container_lost", message });
}

async function writeAt(path: string, text: string, offset: number): Promise<number> {
  const bytes = Buffer.from(text);
  const handle = await open(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
  try {
    await handle.write(bytes, 0, bytes.length, offset);
  } finally {
    await handle.close();
  }
  return offset + bytes.length;
}

/** Sleeps until the step's own clock shows `dueMs`; false when it ended meanwhile or the job's files went. */
async function sleepsUntil(files: FakeFiles, dueMs: number): Promise<boolean> {
  const leftMs = Math.min(dueMs - Date.now(), maxTimerMs);
  if (leftMs <= 0) return true;
  const options = {
    directory: files.directory,
    pollMs: Math.min(leftMs, 500),
    signal: new AbortController().signal,
  };
  return whenChanged<boolean>(options, async () => {
    if ((await textOf(files.record)) === null || (await exitOf(files)) !== null) return false;
    return Date.now() >= dueMs ? true : null;
  });
}

async function play(
  files: FakeFiles,
  startedAtMs: number,
  actions: readonly TimelineAction[],
): Promise<void> {
  let dueMs = startedAtMs;
  const offsets = { output: 0, ci: 0 };
  for (const action of actions) {
    if (action.kind === "sleep") {
      dueMs += action.ms;
      if (!(await sleepsUntil(files, dueMs))) return;
    } else if (action.kind === "write") {
      const path = action.file === "output" ? files.output : files.ci;
      offsets[action.file] = await writeAt(path, action.text, offsets[action.file]);
    } else {
      await end(files, action.exit);
    }
  }
}

function running(files: FakeFiles, position: number): RunningStep {
  return {
    position,
    outputFile: files.output,
    ciOutputFile: files.ci,
    summaryFile: `${files.ci}.summary`,
    annotationsFile: `${files.ci}.annotations`,
    planted: [],
    async wait(signal) {
      const early = await exitOf(files);
      if (early !== null) return early;
      return whenChanged({ directory: files.directory, pollMs: 250, signal }, () => exitOf(files));
    },
    kill: (name) => end(files, { kind: "exited", code: name === "TERM" ? 143 : 137 }),
  };
}

/** `onFailure` hears of files that could not be written, but not of those that went with their job. */
function playInBackground(
  files: FakeFiles,
  record: z.infer<typeof StepRecord>,
  onFailure: (error: unknown) => void,
): Promise<void> {
  return play(files, record.startedAtMs, parseTimeline(record.script)).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") onFailure(error);
  });
}

export async function startFakeStep(
  directory: string,
  command: { position: number; script: string },
  onFailure: (error: unknown) => void,
): Promise<RunningStep> {
  const files = filesOf(directory, command.position);
  const record = { startedAtMs: Date.now(), script: command.script };
  await Promise.all([
    writeFile(files.record, JSON.stringify(record)),
    writeFile(files.output, "", { flag: "a", mode: 0o600 }),
    writeFile(files.ci, "", { flag: "a", mode: 0o600 }),
  ]);
  const played = playInBackground(files, record, onFailure);
  // One that sleeps nowhere is over when this returns: nothing is left to watch for.
  if (!parseTimeline(command.script).some(({ kind }) => kind === "sleep")) await played;
  return running(files, command.position);
}

/** null when that step was never started. */
export async function resumeFakeStep(
  directory: string,
  position: number,
  onFailure: (error: unknown) => void,
): Promise<RunningStep | null> {
  const files = filesOf(directory, position);
  const text = await textOf(files.record);
  if (text === null) return null;
  const record = StepRecord.parse(JSON.parse(text));
  if ((await exitOf(files)) === null) void playInBackground(files, record, onFailure);
  return running(files, position);
}
