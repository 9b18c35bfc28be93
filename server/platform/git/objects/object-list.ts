/**
 * Looks ids up in the list of all objects of a repository, which is long. While one list of a repository is being read, new
 * callers share the next one.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ReachabilityRequest } from "./reachable-objects.ts";

export interface Listing {
  directory: string;
  /** Aborts when nobody waits any more. */
  signal: AbortSignal;
  /** Takes lines of ids, cut anywhere; true when no more are needed. */
  take(piece: Buffer): boolean;
}

/** Resolves when all is listed, or enough. */
type List = (listing: Listing) => Promise<void>;

/** Whether all ids are in the list. Rejects as `list` does, or with the signal's reason. */
export function createSharedLists(list: List): (asked: ReachabilityRequest) => Promise<boolean> {
  const reading = new Map<string, Promise<void>>();
  const next = new Map<string, ObjectSearch>();

  async function read(directory: string, search: ObjectSearch): Promise<void> {
    await reading.get(directory);
    next.delete(directory);
    const reads = search.readBy(list, directory);
    reading.set(directory, reads);
    await reads;
    if (reading.get(directory) === reads) reading.delete(directory);
  }

  return async ({ directory, ids, signal }) => {
    const missing = new Set<string>();
    await inTurns(ids, (id) => missing.add(id));
    const joined = next.get(directory);
    if (joined) return joined.seek(missing, signal);
    const search = createObjectSearch();
    next.set(directory, search);
    const answer = search.seek(missing, signal);
    void read(directory, search);
    return answer;
  };
}

export interface ObjectSearch {
  /** Removes found ids from `missing`. */
  seek(missing: Set<string>, signal: AbortSignal): Promise<boolean>;
  /** Never rejects: errors go to the callers. */
  readBy(list: List, directory: string): Promise<void>;
}

interface Seeker {
  missing: Set<string>;
  resolve(isListed: boolean): void;
  reject(error: unknown): void;
}

export function createObjectSearch(): ObjectSearch {
  const seekers = new Set<Seeker>();
  const nobodyWaits = new AbortController();
  let hasBegun = false;

  function leave(seeker: Seeker): void {
    seekers.delete(seeker);
    // Before it has begun another may still come.
    if (hasBegun && seekers.size === 0) nobodyWaits.abort(new Error("nobody waits for the list"));
  }

  function find(id: string): void {
    for (const seeker of seekers) {
      if (!seeker.missing.delete(id) || seeker.missing.size > 0) continue;
      seekers.delete(seeker);
      seeker.resolve(true);
    }
  }

  return {
    async seek(missing, signal) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<boolean>();
      const seeker = { missing, resolve, reject };
      const giveUp = () => {
        leave(seeker);
        reject(signal.reason as Error);
      };
      seekers.add(seeker);
      signal.addEventListener("abort", giveUp, { once: true });
      try {
        return await promise;
      } finally {
        signal.removeEventListener("abort", giveUp);
      }
    },
    async readBy(list, directory) {
      hasBegun = true;
      const sought = [...seekers].flatMap(({ missing }) => [...missing]);
      const lines = await createLineSearch(sought, find);
      const take = (piece: Buffer) => {
        lines(piece);
        return seekers.size === 0;
      };
      try {
        if (seekers.size > 0) await list({ directory, signal: nobodyWaits.signal, take });
        for (const { resolve } of seekers) resolve(false);
      } catch (error) {
        for (const { reject } of seekers) reject(error);
      }
      seekers.clear();
    },
  };
}

const lineBytes = 41;

/**
 * Calls back with each of these ids that appears on a line. There may be millions of others while everybody waits, so strings
 * are made only of those with a matching prefix.
 */
export async function createLineSearch(
  ids: readonly string[],
  onFound: (id: string) => void,
): Promise<(piece: Buffer) => void> {
  const wanted = new Set<string>();
  const marks = new Set<number>();
  await inTurns(ids, (id) => {
    wanted.add(id);
    marks.add(markAt(Buffer.from(id, "latin1"), 0));
  });
  let rest: Buffer = Buffer.alloc(0);
  return (piece) => {
    const lines = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let at = 0;
    for (; at + lineBytes <= lines.length; at += lineBytes) {
      if (!marks.has(markAt(lines, at))) continue;
      const id = lines.toString("latin1", at, at + lineBytes - 1);
      if (wanted.has(id)) onFound(id);
    }
    // A copy: the piece is overwritten.
    rest = Buffer.from(lines.subarray(at));
  };
}

/** A request may name hundreds of thousands. */
async function inTurns(ids: readonly string[], take: (id: string) => void): Promise<void> {
  for (let at = 0; at < ids.length; at += idsInOneTurn) {
    if (at > 0) await nextTurn();
    for (const id of ids.slice(at, at + idsInOneTurn)) take(id);
  }
}

/** Some milliseconds' work. */
const idsInOneTurn = 10_000;

function markAt(lines: Buffer, at: number): number {
  return Math.imul(lines.readInt32LE(at), 0x01000193) ^ lines.readInt32LE(at + 4);
}
