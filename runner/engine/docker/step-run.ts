/** One step in a supervised container: starting it, seeing its end, ending it. Survives the agent: all state is in files. */
import { setTimeout as delay } from "node:timers/promises";
import type { RunningStep, StepExit } from "../engine.ts";
import type { SupervisorExit } from "./journal.ts";
import { outputFileOf, writtenFileOf } from "./step-files.ts";
import type { Supervisor } from "./supervisor.ts";

export interface StepPlace {
  supervisor: Supervisor;
  pidsLimit: number;
  /** Asked when the processes are gone without a word. */
  whyLost: () => Promise<StepExit>;
  /** The container is this step's alone: nothing of it outlives the step. */
  isOwn: boolean;
  /** The last resort when signals inside do not help. */
  killContainer: () => Promise<void>;
}

/** How long a KILL has before stronger means are used. */
const escalationMs = 2000;

/** Of a process that was killed, as shells tell it of what they ran. */
const killedCode = 137;
const outOfMemory = "A process of this step was killed since the job's memory was used up.";
const perhapsOutOfMemory =
  "A process of this step, or of one that ran at the same time, was killed since the job's memory was used up.";

/**
 * `wasBeside`: what was killed for memory was not always this step's. A script may bear it, as all do that hide it in a pipe: then
 * only the note tells.
 */
function meaning(exit: SupervisorExit, pidsLimit: number, wasBeside: boolean): StepExit {
  if (exit.logError !== 0) return { kind: "log_lost", errorNumber: exit.logError };
  if (exit.oomKills > 0) {
    const isOom = wasBeside ? exit.code === killedCode : exit.code !== 0;
    if (isOom) return { kind: "oom" };
    return { kind: "exited", code: exit.code, note: wasBeside ? perhapsOutOfMemory : outOfMemory };
  }
  if (exit.code === 0 || exit.forksRefused === 0) return { kind: "exited", code: exit.code };
  return {
    kind: "exited",
    code: exit.code,
    note: `The limit of ${String(pidsLimit)} processes was reached.`,
  };
}

export function runningStep(place: StepPlace, position: number): RunningStep {
  const { supervisor } = place;
  const hasEnded = async (): Promise<boolean> => (await supervisor.journal()).ended.has(position);

  async function endsWithin(ms: number): Promise<boolean> {
    try {
      await supervisor.whenEnded(position, AbortSignal.timeout(ms));
      return true;
    } catch {
      return false;
    }
  }

  return {
    position,
    outputFile: outputFileOf(supervisor.places, position),
    ciOutputFile: writtenFileOf(supervisor.places, position, "ci"),
    summaryFile: writtenFileOf(supervisor.places, position, "summary"),
    annotationsFile: writtenFileOf(supervisor.places, position, "annotations"),
    planted: [],
    async wait(signal) {
      const ended = await supervisor.whenEnded(position, signal);
      if (ended === "lost") return place.whyLost();
      await supervisor.forget(position);
      const { beside } = await supervisor.journal();
      // Else each step with an image of its own could leave as much running as a whole job may have.
      if (place.isOwn) await place.killContainer();
      return meaning(ended, place.pidsLimit, beside.has(position));
    },
    async kill(name) {
      if (await hasEnded()) return;
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
