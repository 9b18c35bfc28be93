/**
 * Waiting containers: a few fresh job sets of lately used images, made while the runner has nothing to do, so that a
 * job need not wait for a network and a container. One that was taken belongs to its job and goes with it; it never
 * comes back. Waiting ones have seen no repository. They are labelled, so a restarted runner removes them.
 */
import { plainLimits } from "./job-limits.ts";
import type { EngineContext } from "./context.ts";
import { daemonMessage } from "./daemon.ts";
import { makeJobSet, type JobSet } from "./job-set.ts";
import { removeJob } from "./removal.ts";
import { warmOwner } from "./spare-network.ts";

/** What must be equal for a waiting container to serve a job; limits are set when it is taken. */
export interface PoolKey {
  imageId: string;
  user: string | null;
  extraHosts: readonly string[];
  caFile: string | null;
}

export interface Pool {
  /** Fresh and alive, or null. The caller owns it from here. */
  take(key: PoolKey): JobSet | null;
  /** This kind was just asked for. */
  remember(key: PoolKey): void;
  /** Resolves when it is full, or no more can be made; a second call while one runs waits for the same. Never rejects. */
  fill(): Promise<void>;
  /**
   * Removes one waiting set, for example because the daemon has no addresses left; false when there is none, and none is just
   * being made.
   */
  shrink(): Promise<boolean>;
  close(): Promise<void>;
}

const kindsKept = 4;

function textOf(key: PoolKey): string {
  return JSON.stringify([key.imageId, key.user, key.extraHosts, key.caFile]);
}

export function createPool(context: EngineContext, sizeMax: number): Pool {
  const waiting: { text: string; set: JobSet }[] = [];
  /** Latest first. */
  let kinds: PoolKey[] = [];
  let filling: Promise<void> | null = null;
  let making: Promise<void> | null = null;
  const closed = new AbortController();

  async function discard(set: JobSet): Promise<void> {
    try {
      await removeJob(context, set.record.jobKey);
    } catch (error) {
      context.onNote(`A prepared container could not be removed: ${daemonMessage(error)}`);
    }
    context.active.delete(set.record.jobKey);
  }

  /** The kind that has fewest of its share; shares go round from the latest. */
  function next(): PoolKey | null {
    const wanted = new Map<string, number>();
    for (let slot = 0; slot < sizeMax && kinds.length > 0; slot += 1) {
      const key = kinds[slot % kinds.length];
      if (key !== undefined) wanted.set(textOf(key), (wanted.get(textOf(key)) ?? 0) + 1);
    }
    const has = (text: string): number => waiting.filter((entry) => entry.text === text).length;
    return kinds.find((key) => has(textOf(key)) < (wanted.get(textOf(key)) ?? 0)) ?? null;
  }

  async function dropForgotten(): Promise<void> {
    const known = new Set(kinds.slice(0, sizeMax).map(textOf));
    for (const entry of waiting.filter(({ text }) => !known.has(text))) {
      waiting.splice(waiting.indexOf(entry), 1);
      await discard(entry.set);
    }
  }

  async function make(key: PoolKey): Promise<void> {
    const set = await makeJobSet(context, {
      ...key,
      owner: warmOwner(context.runnerId),
      leaseKey: null,
      repositoryId: null,
      sharedWorkspace: null,
      limits: plainLimits(context.limits),
      serviceLimits: {},
      signal: closed.signal,
    });
    if (closed.signal.aborted) await discard(set);
    else waiting.push({ text: textOf(key), set });
  }

  async function fillUp(): Promise<void> {
    await dropForgotten();
    for (let key = next(); key !== null && !closed.signal.aborted && waiting.length < sizeMax; key = next()) {
      await context.quietTime.whenQuiet();
      if (closed.signal.aborted) return;
      making = makeOrDrop(key);
      await making;
      making = null;
    }
  }

  async function makeOrDrop(key: PoolKey): Promise<void> {
    try {
      await make(key);
    } catch (error) {
      if (!closed.signal.aborted) context.onNote(`No container could be prepared: ${daemonMessage(error)}`);
      // An image that went away or a full address pool: a job will say so properly.
      kinds = kinds.filter((kind) => kind !== key);
    }
  }

  return {
    take(key) {
      const text = textOf(key);
      const index = waiting.findIndex((entry) => entry.text === text);
      return index < 0 ? null : (waiting.splice(index, 1)[0]?.set ?? null);
    },
    remember(key) {
      kinds = [key, ...kinds.filter((kind) => textOf(kind) !== textOf(key))].slice(0, kindsKept);
    },
    fill() {
      if (closed.signal.aborted || sizeMax === 0) return Promise.resolve();
      filling ??= fillUp().finally(() => {
        filling = null;
      });
      return filling;
    },
    async shrink() {
      // It holds a network already, and no job can have it before it is made.
      await making;
      const entry = waiting.pop();
      if (entry !== undefined) await discard(entry.set);
      return entry !== undefined;
    },
    async close() {
      closed.abort();
      await filling;
      await Promise.all(waiting.splice(0).map(({ set }) => discard(set)));
    },
  };
}
