/**
 * One watched run, shared by all its viewers in this process: its streams, and its status changes as a growing
 * list of encoded messages, in which each viewer keeps its own place.
 */
import type { WatchMessage } from "@forgeline/schemas/logs/watch.ts";
import { isFinal } from "@forgeline/schemas/pipelines/status.ts";
import type { RunNode, RunOutcome, RunStates, RunStream } from "../../domains/pipelines/domain.ts";
import type { Logger } from "../../platform/logger.ts";

/** Changes that come closer together are read from the database together. */
const refreshMs = 50;
const retryMs = 1000;

export interface WatchedRun {
  /** Resolves once the run was read for the first time. */
  ready: Promise<void>;
  streams(): readonly RunStream[];
  /** Encoded status messages: the state when a viewer joins, and what came since. */
  snapshot(): string[];
  changes(from: number): string[];
  position(): number;
  /** Set once the run is final. */
  outcome(): RunOutcome | undefined;
  refresh(): void;
  /** Resolves once the run was read by a query that began after this call. */
  readAgain(): Promise<void>;
  follow(onChange: () => void): () => void;
}

export interface WatchedRuns {
  get(pipelineId: string): WatchedRun;
  close(): void;
}

/** `refreshMs`: after how long a change shows if no notification of it came. */
export function createWatchedRuns(
  deps: { states: RunStates; logger: Logger },
  refreshMs = 5_000,
): WatchedRuns {
  const runs = new Map<string, WatchedRun>();
  const stop = deps.states.onChange((pipelineId) => {
    if (pipelineId) runs.get(pipelineId)?.refresh();
    else for (const run of runs.values()) run.refresh();
  });
  // A process that died between commit and notification told nobody.
  const timer = setInterval(() => {
    for (const run of runs.values()) if (!run.outcome()) run.refresh();
  }, refreshMs).unref();
  return {
    get(pipelineId) {
      let run = runs.get(pipelineId);
      if (!run) {
        run = createWatchedRun({ ...deps, pipelineId, unused: () => void runs.delete(pipelineId) });
        runs.set(pipelineId, run);
      }
      return run;
    },
    close() {
      clearInterval(timer);
      stop();
    },
  };
}

interface WatchedRunOptions {
  states: RunStates;
  logger: Logger;
  pipelineId: string;
  unused: () => void;
}

function createWatchedRun({ states, logger, pipelineId, unused }: WatchedRunOptions): WatchedRun {
  const followers = new Set<() => void>();
  const current = new Map<string, string>();
  const changes: string[] = [];
  const first = Promise.withResolvers<void>();
  let streams: RunStream[] = [];
  let outcome: RunOutcome | undefined;
  let timer: NodeJS.Timeout | undefined;
  let waiting: (() => void)[] = [];
  let reading = false;
  let again = false;
  let closed = false;

  function take(nodes: readonly RunNode[]): void {
    for (const node of nodes) {
      const key = `${node.node}:${node.id}`;
      const message = encodeStatus(node);
      if (current.get(key) === message) continue;
      current.set(key, message);
      changes.push(message);
      // A rerun reopens the same run.
      if (node.node === "pipeline")
        outcome = isFinal(node.status) ? { status: node.status, reason: node.reason } : undefined;
    }
  }

  async function read(): Promise<void> {
    reading = true;
    again = false;
    const asked = waiting;
    waiting = [];
    try {
      // Statuses first: streams of a run that was final then are all in what is read after.
      const nodes = await states.nodes(pipelineId);
      streams = await states.streams(pipelineId);
      take(nodes);
      first.resolve();
      for (const resolve of asked) resolve();
      for (const follower of followers) follower();
    } catch (error) {
      waiting.push(...asked);
      logger.warn(
        { pipelineId, error: (error as Error).message },
        "could not read a watched run; trying again",
      );
      schedule(retryMs);
    } finally {
      reading = false;
      if (again) schedule(refreshMs);
    }
  }

  function schedule(delayMs: number): void {
    if (timer || closed) return;
    timer = setTimeout(() => {
      timer = undefined;
      void read();
    }, delayMs).unref();
  }

  function refresh(): void {
    if (reading) again = true;
    else schedule(refreshMs);
  }

  void read();
  return {
    ready: first.promise,
    streams: () => streams,
    snapshot: () => [...current.values()],
    changes: (from) => changes.slice(from),
    position: () => changes.length,
    outcome: () => outcome,
    refresh,
    readAgain: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        refresh();
      }),
    follow(onChange) {
      followers.add(onChange);
      return () => {
        if (!followers.delete(onChange) || followers.size > 0) return;
        closed = true;
        clearTimeout(timer);
        unused();
      };
    },
  };
}

function encodeStatus({ time, ...node }: RunNode): string {
  return JSON.stringify({ t: "status", ...node, time: time.toISOString() } satisfies WatchMessage);
}
