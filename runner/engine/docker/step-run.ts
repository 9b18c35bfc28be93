/** One step in a supervised container: starting it, seeing its end, ending it. Survives the agent: all state is in files. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { RunningStep, StepExit } from "../engine.ts";
import { whenChanged } from "../file-change.ts";
import type { Supervisor, SupervisorExit } from "./supervisor.ts";

export interface StepPlace {
  supervisor: Supervisor;
  pidsLimit: number;
  /** Asked when the processes are gone without a word. */
  whyLost: () => Promise<StepExit>;
  /** The last resort when signals inside do not help. */
  killContainer: () => Promise<void>;
}

/** How long a KILL has before stronger means are used. */
const escalationMs = 2000;

export function outputFileOf(supervisor: Supervisor, position: number): string {
  return join(supervisor.directories.outDir, `step-${String(position)}.out`);
}

/** So that readers find them at once. An entry that the job put there already is left as it is. */
export async function makeOutputFiles(supervisor: Supervisor, position: number): Promise<void> {
  const output = outputFileOf(supervisor, position);
  for (const path of ["out", "ci", "summary"].map((end) => output.replace(/out$/, end))) {
    try {
      const handle = await open(
        path,
        constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW | constants.O_WRONLY,
      );
      try {
        await handle.chmod(0o666);
      } finally {
        await handle.close();
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

function meaning(exit: SupervisorExit, pidsLimit: number): StepExit {
  if (exit.code !== 0 && exit.oomKills > 0) return { kind: "oom" };
  if (exit.code === 0 || exit.forksRefused === 0) return { kind: "exited", code: exit.code };
  return {
    kind: "exited",
    code: exit.code,
    note: `The limit of ${String(pidsLimit)} processes was reached.`,
  };
}

export function runningStep(place: StepPlace, position: number): RunningStep {
  const { supervisor } = place;
  const hasEnded = async (): Promise<boolean> => (await supervisor.exit(position)) !== null;

  async function endsWithin(ms: number): Promise<boolean> {
    try {
      await supervisor.whenEnded(position, AbortSignal.timeout(ms));
      return true;
    } catch {
      return false;
    }
  }

  /** A signal that comes before the step has told its process id would be lost. */
  async function whenSignallable(): Promise<void> {
    const options = {
      directory: supervisor.directories.stateDir,
      pollMs: 20,
      signal: AbortSignal.timeout(escalationMs),
    };
    await whenChanged(options, async () => {
      return (await supervisor.signallable(position)) || (await hasEnded()) ? true : null;
    }).catch(() => undefined);
  }

  return {
    position,
    outputFile: outputFileOf(supervisor, position),
    ciOutputFile: join(supervisor.directories.outDir, `step-${String(position)}.ci`),
    async wait(signal) {
      const ended = await supervisor.whenEnded(position, signal);
      if (ended === "lost") return place.whyLost();
      await supervisor.forget(position);
      return meaning(ended, place.pidsLimit);
    },
    async kill(name) {
      if (await hasEnded()) return;
      await whenSignallable();
      const told = await supervisor.signal(position, name);
      if (name === "TERM") return;
      if (told && (await endsWithin(escalationMs))) return;
      // What left the step's group does not feel its signals; everything in the container does.
      if ((await supervisor.signal(position, "ALL")) && (await endsWithin(escalationMs))) return;
      await place.killContainer();
      await delay(0);
    },
  };
}
