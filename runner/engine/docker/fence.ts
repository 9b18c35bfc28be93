/** The time after which all containers of a job's steps end by themselves, as their supervisors keep it. */
import type { Supervisor } from "./supervisor.ts";

/** Of `forgeline-init` whose time was over; `runner/init/supervise.c` has the same number. */
export const fencedExitCode = 71;

export const fencedMessage =
  "The job holds a slot of a concurrency group and was ended because its runner was gone or could not reach the server.";

export interface Fence {
  /** Replaces what was set before; null: no limit. */
  set(ms: number | null): Promise<void>;
  /** A further container, which gets what is left of the time. */
  add(supervisor: Supervisor): Promise<void>;
}

export function createFence(first: Supervisor): Fence {
  const supervisors = [first];
  let untilMs: number | null = null;
  return {
    async set(ms) {
      untilMs = ms === null ? null : performance.now() + ms;
      await Promise.all(supervisors.map((supervisor) => supervisor.fence(ms)));
    },
    async add(supervisor) {
      supervisors.push(supervisor);
      if (untilMs !== null) await supervisor.fence(Math.max(1, untilMs - performance.now()));
    },
  };
}
