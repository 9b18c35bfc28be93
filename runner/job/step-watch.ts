/**
 * Waits for a running step and ends it when it must end: its time, its silence, or the job's stop. TERM first, then
 * KILL after the grace; silence is judged by the size of the output file, so it needs no connection.
 */
import { stat } from "node:fs/promises";
import type { RunningStep, StepExit } from "../engine/engine.ts";
import type { JobStop } from "./job-stop.ts";

export type EndedBy = "timeout" | "idle_timeout" | "stop" | null;

export interface StepLimits {
  timeoutMs: number | null;
  idleTimeoutMs: number | null;
  /** How long the step has already run, after a restart of the agent. */
  elapsedMs: number;
  /** A step that runs `always` outlives a stop, unless forced. */
  outlivesStop: boolean;
}

export const killGraceMs = 10_000;
const maxIdleCheckMs = 1000;

/** Rejects when the lease is revoked. */
export async function watchStep(
  step: RunningStep,
  limits: StepLimits,
  stop: JobStop,
): Promise<{ exit: StepExit; endedBy: EndedBy }> {
  let endedBy: EndedBy = null;
  const timers: NodeJS.Timeout[] = [];
  const end = (why: Exclude<EndedBy, null>, graceMs: number) => {
    if (endedBy !== null) return;
    endedBy = why;
    void step.kill("TERM").catch(() => undefined);
    timers.push(setTimeout(() => void step.kill("KILL").catch(() => undefined), graceMs));
  };
  const onStop = () => end("stop", stop.request?.graceMs ?? killGraceMs);
  const stopSignal = limits.outlivesStop ? stop.forced : stop.asked;
  if (stopSignal.aborted) onStop();
  stopSignal.addEventListener("abort", onStop);
  if (limits.timeoutMs !== null) {
    const left = Math.max(0, limits.timeoutMs - limits.elapsedMs);
    timers.push(setTimeout(() => end("timeout", killGraceMs), clampTimer(left)));
  }
  if (limits.idleTimeoutMs !== null)
    timers.push(watchSilence(step.outputFile, limits.idleTimeoutMs, () => end("idle_timeout", killGraceMs)));
  try {
    return { exit: await step.wait(stop.revoked), endedBy };
  } finally {
    stopSignal.removeEventListener("abort", onStop);
    for (const timer of timers) clearTimeout(timer);
  }
}

/** Node fires timers beyond 2^31 ms at once. */
export function clampTimer(ms: number): number {
  return Math.min(ms, 2 ** 31 - 1);
}

function watchSilence(path: string, idleMs: number, onSilent: () => void): NodeJS.Timeout {
  let size = -1;
  let grewAt = performance.now();
  const look = async () => {
    const now = await stat(path).then(
      (found) => found.size,
      () => size,
    );
    if (now !== size) {
      size = now;
      grewAt = performance.now();
    } else if (performance.now() - grewAt >= idleMs) onSilent();
  };
  return setInterval(() => void look(), Math.min(maxIdleCheckMs, Math.max(10, idleMs / 4)));
}
