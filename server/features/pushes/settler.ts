/**
 * What becomes of pushes whose end nobody told: the refs decide. Locks of killed Git processes are removed on the way, and what
 * is left in part of a push that was to be whole is completed, or taken back.
 */
import type { Database } from "../../db/database.ts";
import { readRefs, syncRefs } from "../../git/refs.ts";
import type { RunGit } from "../../git/run-git.ts";
import { hasOldLocks, removeStaleLocks } from "../../git/stale-locks.ts";
import type { RepositoryStorage } from "../../git/storage.ts";
import { backwards, moveTogether } from "../../git/whole-pushes.ts";
import type { Logger } from "../../platform/logger.ts";
import type { PushIntent, RecordedPush, RefUpdate } from "./push.ts";
import { happened } from "./settle.ts";
import { laterUpdates, markRefused, openIntents, type OpenIntent } from "./store.ts";

export interface Settler {
  /** For an intent whose Git has ended in this process. What it left in part may stay for `settleOpen`. */
  settle(intent: PushIntent): Promise<void>;
  /** Settles intents that were left open, of one repository or all; the number settled. */
  settleOpen(repositoryId?: string): Promise<number>;
  /** Before these refs are moved: nothing that a killed Git left is in the way. */
  freeLocks(repositoryId: string, refs: readonly string[]): Promise<void>;
}

export interface SettlerDeps {
  db: Database;
  storage: Pick<RepositoryStorage, "directory">;
  runGit: RunGit;
  logger: Logger;
  /** Ids of pushes under way in this process. */
  live: ReadonlySet<string>;
  record(push: RecordedPush): Promise<unknown>;
  settleAfterMs: number;
  giveUpAfterMs: number;
}

/** A lock this old, whose holder is not seen alive, was left by a process that was killed. */
const staleLockMs = 5_000;

export function createSettler(deps: SettlerDeps): Settler {
  const { db, storage, runGit, logger } = deps;

  async function movedOf(intent: PushIntent): Promise<RefUpdate[]> {
    const refs = await readRefs(runGit, storage.directory(intent.repositoryId), refsOf(intent));
    return happened(intent.updates, refs, await laterUpdates(db, intent));
  }

  async function conclude(intent: PushIntent, moved: RefUpdate[]): Promise<void> {
    if (moved.length === 0) return markRefused(db, intent.id);
    await syncRefs(storage.directory(intent.repositoryId), refsOf(intent));
    await deps.record({ ...intent, updates: moved });
  }

  /** What then has happened: all, or nothing. Part only where others have moved these refs on, which nothing can mend. */
  async function makeWhole(intent: PushIntent, moved: RefUpdate[]): Promise<RefUpdate[]> {
    const directory = storage.directory(intent.repositoryId);
    const rest = intent.updates.filter((update) => !moved.includes(update));
    const log = { push_id: intent.id, moved: moved.length, of: intent.updates.length };
    if (await moveTogether(runGit, directory, rest)) {
      logger.warn(log, "completed an atomic push that was killed");
      return intent.updates;
    }
    if (await moveTogether(runGit, directory, backwards(moved))) {
      logger.warn(log, "took back what an atomic push that was killed had moved");
      return [];
    }
    logger.error(log, "an atomic push that was killed stays in part: its refs were moved on");
    return moved;
  }

  async function settleLeftOpen({ ageMs, ...intent }: OpenIntent): Promise<boolean> {
    const directory = storage.directory(intent.repositoryId);
    const { removed, left } = await removeStaleLocks(directory, refsOf(intent), staleLockMs);
    if (removed > 0) logger.warn({ push_id: intent.id, removed }, "removed locks of a push that was killed");
    const isLate = ageMs >= deps.giveUpAfterMs;
    // Somebody is at it, or was killed a moment ago.
    if (left > 0 && !isLate) return false;
    const moved = await movedOf(intent);
    const isTorn = isInPart(intent, moved);
    if (isTorn && left > 0) return false;
    if (!isTorn && moved.length < intent.updates.length && !isLate) return false;
    await conclude(intent, isTorn ? await makeWhole(intent, moved) : moved);
    return true;
  }

  async function settleOpen(repositoryId?: string): Promise<number> {
    const which = { limit: 100, repositoryId: repositoryId ?? null };
    let settled = 0;
    for (const intent of await openIntents(db, deps.settleAfterMs, which)) {
      if (deps.live.has(intent.id)) continue;
      try {
        if (await settleLeftOpen(intent)) settled += 1;
      } catch (error) {
        logger.warn({ err: error, push_id: intent.id }, "could not settle a push; trying again");
      }
    }
    return settled;
  }

  return {
    settleOpen,
    async settle(intent) {
      const directory = storage.directory(intent.repositoryId);
      // As a killed Git leaves them; they are for `settleOpen` when they are old enough.
      if (await hasOldLocks(directory, refsOf(intent), 0)) return;
      const moved = await movedOf(intent);
      if (!isInPart(intent, moved)) await conclude(intent, moved);
    },
    async freeLocks(repositoryId, refs) {
      const directory = storage.directory(repositoryId);
      if (!(await hasOldLocks(directory, refs, staleLockMs))) return;
      // Whoever left them may have left a push in part, which must be whole before its refs move on.
      await settleOpen(repositoryId);
      const { removed } = await removeStaleLocks(directory, refs, staleLockMs);
      if (removed > 0)
        logger.warn({ repository_id: repositoryId, removed }, "removed locks that were in a push's way");
    },
  };
}

function refsOf({ updates }: PushIntent): string[] {
  return updates.map(({ ref }) => ref);
}

function isInPart({ atomic, updates }: PushIntent, moved: readonly RefUpdate[]): boolean {
  return atomic && moved.length > 0 && moved.length < updates.length;
}
