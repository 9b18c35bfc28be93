/**
 * One step as a process group of this machine: starting it, seeing its end, ending it. All that is known of it is in files, so an agent that was
 * restarted goes on where the one before it stopped.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeWhole } from "../../write-whole.ts";
import type { RunningStep, StepCommand, StepExit } from "../engine.ts";
import { EngineError } from "../engine.ts";
import { whenChanged } from "../file-change.ts";
import { makeStepFiles, outputFileOf, writtenFileOf } from "../docker/step-files.ts";
import type { JobPlaces } from "./job-places.ts";
import { killMarked, markEnvironment, signalProcess } from "./marked-processes.ts";
import { isRunning, isStillOurs } from "./process-state.ts";
import { checkEnvironment, processLauncher, stepKeeper } from "./step-programs.ts";

const pollMs = 250;
const startMs = 30_000;
const killedCode = 137;
const lostLead = "The processes of the step no longer exist";

export interface StepSetting {
  places: JobPlaces;
  workspaceDir: string;
  /** Of this step. */
  mark: string;
  /** Why the job's steps were ended from outside, if they were. */
  whyLost: () => Promise<string>;
}

interface StepPaths {
  /** What all names of its files begin with. */
  base: string;
  /** Which try to start it counts, by an agent before this one or by this one. */
  start: string;
  launcher: string;
  exit: string;
  /** Made before a KILL, so that a death without a word is understood. */
  killed: string;
}

function pathsOf({ steps }: JobPlaces, position: number): StepPaths {
  const base = join(steps, `step-${String(position)}`);
  return {
    base,
    start: `${base}.start`,
    launcher: `${base}.launch`,
    exit: `${base}.exit`,
    killed: `${base}.killed`,
  };
}

const pidFile = (paths: StepPaths, start: string) => `${paths.base}.${start}.pid`;

/** Throws `EngineError`. `base` is the environment that every step has. */
export async function startStep(
  setting: StepSetting,
  command: StepCommand,
  base: Readonly<Record<string, string>>,
): Promise<RunningStep> {
  const { position } = command;
  const paths = pathsOf(setting.places, position);
  const directories = directoriesOf(setting.places);
  const planted = await makeStepFiles(directories, position);
  const env = {
    ...base,
    ...command.env,
    ...(await writeSecrets(paths, command.files ?? {})),
    CI_OUTPUT: writtenFileOf(directories, position, "ci"),
    CI_SUMMARY: writtenFileOf(directories, position, "summary"),
    CI_ANNOTATIONS: writtenFileOf(directories, position, "annotations"),
    ...markEnvironment(setting.mark),
  };
  checkEnvironment(env);
  const script = `${paths.base}.${command.shell === "pwsh" ? "ps1" : "sh"}`;
  await writeFile(script, command.script, { mode: 0o600 });
  await writeFile(paths.launcher, processLauncher(command, setting.workspaceDir), { mode: 0o600 });
  const start = randomBytes(8).toString("hex");
  // Before its process: from here on, an agent after this one knows which it has to look for.
  await writeWhole(paths.start, start);
  const pid = await begin(setting, { paths, position, script, start, env, path: base["PATH"] ?? "" });
  return { ...runningStep(setting, position, pid), planted };
}

function directoriesOf({ steps }: JobPlaces) {
  return { ownDir: steps, outDir: steps };
}

/** Paths by the variables that name them. The step's keeper removes them with its end. */
async function writeSecrets(
  { base }: StepPaths,
  files: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const paths: Record<string, string> = {};
  for (const [index, [variable, content]] of Object.entries(files).entries()) {
    const path = `${base}.secret-${String(index)}`;
    await rm(path, { force: true });
    await writeFile(path, content, { mode: 0o400, flag: "wx" });
    paths[variable] = path;
  }
  return paths;
}

interface Beginning {
  paths: StepPaths;
  position: number;
  script: string;
  start: string;
  env: Record<string, string>;
  /** Where the keeper finds its programs, wherever the step looks for its own. */
  path: string;
}

/** Resolves with the process id once the keeper is there. */
async function begin(setting: StepSetting, beginning: Beginning): Promise<number> {
  const { paths, position, script, start, env, path } = beginning;
  const output = await open(
    outputFileOf(directoriesOf(setting.places), position),
    constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW,
  );
  const failed = new AbortController();
  try {
    const own = pidFile(paths, start);
    const words = ["-c", stepKeeper, "step", own, paths.base, paths.launcher, script];
    const child = spawn("sh", words, {
      cwd: setting.workspaceDir,
      env: { ...env, PATH: path },
      // Shells remark on how their programs ended, which is nothing that the step has said.
      stdio: ["ignore", output.fd, "ignore"],
      detached: true,
    });
    child.once("error", (error) => failed.abort(error));
    child.unref();
    const signal = AbortSignal.any([failed.signal, AbortSignal.timeout(startMs)]);
    const directory = setting.places.steps;
    return await whenChanged({ directory, pollMs: 20, signal }, () => readNumber(own));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new EngineError("internal", `The step's process could not be started: ${why}`, { cause: error });
  } finally {
    await output.close();
  }
}

/** Null when that step never started; from then on it cannot start any more. */
export async function resumeStep(setting: StepSetting, position: number): Promise<RunningStep | null> {
  const paths = pathsOf(setting.places, position);
  const start = await textOf(paths.start);
  if (start === null) return null;
  const own = pidFile(paths, start);
  // The keeper makes this file too, and whoever comes second gives up.
  await writeFile(own, "none\n", { flag: "wx" }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  });
  const signal = AbortSignal.timeout(startMs);
  const directory = setting.places.steps;
  const text = await whenChanged({ directory, pollMs: 20, signal }, () => wholeLine(own));
  if (text === "none") return null;
  const pid = Number(text);
  return runningStep(setting, position, (await isStillOurs(pid, setting.places.steps)) ? pid : null);
}

/** `pid` null: its keeper is gone. */
function runningStep(setting: StepSetting, position: number, pid: number | null): RunningStep {
  const paths = pathsOf(setting.places, position);
  const directories = directoriesOf(setting.places);
  const ended = async (): Promise<StepExit | null> => {
    // Looked at first: an end that is written meanwhile is seen then.
    const runs = pid !== null && (await isRunning(pid, setting.places.steps));
    const code = await readNumber(paths.exit);
    if (code !== null) return { kind: "exited", code };
    if (runs) return null;
    if ((await textOf(paths.killed)) !== null) return { kind: "exited", code: killedCode };
    return { kind: "container_lost", lead: lostLead, message: await setting.whyLost() };
  };
  return {
    position,
    outputFile: outputFileOf(directories, position),
    ciOutputFile: writtenFileOf(directories, position, "ci"),
    summaryFile: writtenFileOf(directories, position, "summary"),
    annotationsFile: writtenFileOf(directories, position, "annotations"),
    planted: [],
    wait: (signal) => whenChanged({ directory: setting.places.steps, pollMs, signal }, ended),
    async kill(name) {
      if (pid === null || (await ended()) !== null) return;
      if (name === "TERM") return void signalProcess(-pid, "SIGTERM");
      await writeWhole(paths.killed, "");
      signalProcess(-pid, "SIGKILL");
      // What left the group does not feel its signals.
      await killMarked(setting.mark);
    },
  };
}

/** KILL to the groups of all steps that may still run: of those that were started in this directory. */
export async function killStepGroups({ steps }: JobPlaces, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const pid = name.endsWith(".pid") ? await readNumber(join(steps, name)) : null;
    if (pid !== null && (await isStillOurs(pid, steps))) signalProcess(-pid, "SIGKILL");
  }
}

async function textOf(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  });
}

/** Null where the file is not there, or its line is still being written. */
async function wholeLine(path: string): Promise<string | null> {
  const text = await textOf(path);
  return text?.endsWith("\n") ? text.trim() : null;
}

async function readNumber(path: string): Promise<number | null> {
  const line = await wholeLine(path);
  return line !== null && /^\d+$/.test(line) ? Number(line) : null;
}
