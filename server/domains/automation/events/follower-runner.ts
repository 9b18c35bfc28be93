/** Runs a follower of events for as long as its activity may last. */
import type { FollowerName } from "@forgeline/schemas/events/workflow.ts";

export interface Follower {
  /** Until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

export interface FollowerRunner {
  /** Resolves after about an hour, or soon after the signal is aborted or the process is told to end. */
  run(name: FollowerName, signal: AbortSignal): Promise<void>;
  /** Ends what runs now: the worker is about to end, and another one may take over at once. */
  stop(): void;
}

/** Histories of workflows are bounded, so the workflow begins anew from time to time. */
const longestMs = 60 * 60 * 1000;

export function createFollowerRunner(followers: Readonly<Record<FollowerName, Follower>>): FollowerRunner {
  let stopping = new AbortController();
  return {
    run: (name, signal) =>
      followers[name].run(AbortSignal.any([signal, stopping.signal, AbortSignal.timeout(longestMs)])),
    stop() {
      stopping.abort();
      stopping = new AbortController();
    },
  };
}
