/**
 * Settles pushes that were never confirmed or refused: the refs decide. Removes locks of killed Git processes, and completes or
 * reverts an atomic push that was applied in part.
 */
import type { Database } from "../../../platform/db/database.ts";
import { readRefs, syncRefs } from "../../../platform/git/refs/refs.ts";
import type { RunGit } from "../../../platform/git/processes/run-git.ts";
import { createStaleLocks, hasOldLocks, type Holders } from "../../../platform/git/storage/stale-locks.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import { backwards, moveTogether } from "../../../platform/git/transfer/partial-pushes.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { LiveProcesses } from "../../../platform/live-processes.ts";
import type { PushIntent, RecordedPush } from "./push.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";
import { appliedUpdates } from "./decide-outcome.ts";
import {
  markRefused,
  openIntents,
  otherPushes,
  reassignIntent,
  refWriters,
  type OpenIntent,
  type RefWriter,
} from "./pushes.store.ts";

export interface PushReconciler {
  /** For an intent whose Git has ended in this process. A push applied in part may be left to `settleOpen`. */
  settle(intent: PushIntent): Promise<void>;
  /** Settles intents that were left open, of one repository or all; the number settled. */
  settleOpen(repositoryId?: string): Promise<number>;
  /** To be called before these refs are updated: removes what a killed Git left. */
  freeLocks(repositoryId: string, refs: readonly string[]): Promise<void>;
  /** Removes locks on these refs and on the files of all refs that no process holds; returns how many. */
  removeLocks(repositoryId: string, refs: readonly string[]): Promise<number>;
}

export interface PushReconcilerDeps {
  db: Database;
  storage: Pick<RepositoryStorage, "directory">;
  runGit: RunGit;
  logger: Logger;
  presence: Pick<LiveProcesses, "id" | "isThere">;
  /** Ids of pushes under way in this process. */
  live: Set<string>;
  record(push: RecordedPush): Promise<unknown>;
  settleAfterMs: number;
  giveUpAfterMs: number;
}

/** Most locks are gone long before; only those that stay are looked after. */
const staleLockMs = 5_000;

export function createPushReconciler(deps: PushReconcilerDeps): PushReconciler {
  const { db, storage, runGit, logger, presence, live } = deps;
  const staleLocks = createStaleLocks();

  /** Whether a Git process may still update the refs of a push; checks each process once. */
  function createActivityCheck(): (push: Pick<RefWriter, "id" | "writer">) => Promise<boolean> {
    const known = new Map<string, Promise<boolean>>();
    return async ({ id, writer }) => {
      if (live.has(id)) return true;
      if (writer === null || writer === presence.id) return false;
      const isThere = known.get(writer) ?? presence.isThere(writer);
      known.set(writer, isThere);
      return isThere;
    };
  }

  async function removeStaleLocks(repositoryId: string, refs: readonly string[]) {
    const holders = async (): Promise<Holders> => {
      const isAtWork = createActivityCheck();
      const holding = new Map<string, readonly string[]>();
      for (const writer of await refWriters(db, repositoryId))
        if (await isAtWork(writer)) holding.set(writer.id, writer.refs);
      return holding;
    };
    const search = { directory: storage.directory(repositoryId), refs, ageMs: staleLockMs };
    return staleLocks.remove(search, holders);
  }

  /** Undefined while another push has to be settled first. */
  async function movedOf(intent: PushIntent): Promise<RefUpdate[] | undefined> {
    const refs = await readRefs(runGit, storage.directory(intent.repositoryId), refsOf(intent));
    return appliedUpdates(intent.updates, refs, await otherPushes(db, intent));
  }

  async function conclude(intent: PushIntent, moved: RefUpdate[]): Promise<void> {
    if (moved.length === 0) return markRefused(db, intent.id);
    await syncRefs(storage.directory(intent.repositoryId), refsOf(intent));
    await deps.record({ ...intent, updates: moved });
  }

  /** The result: all updates or none. A part only if others have updated these refs since, which cannot be repaired. */
  async function completeOrRollBack(intent: PushIntent, moved: RefUpdate[]): Promise<RefUpdate[]> {
    const directory = storage.directory(intent.repositoryId);
    const rest = intent.updates.filter((update) => !moved.includes(update));
    const log = { push_id: intent.id, moved: moved.length, of: intent.updates.length };
    if (await moveTogether(runGit, directory, rest)) {
      logger.warn(log, "completed an atomic push that was killed");
      return intent.updates;
    }
    if (await moveTogether(runGit, directory, backwards(moved))) {
      logger.warn(log, "rolled back an atomic push that was killed");
      return [];
    }
    logger.error(log, "an atomic push that was killed stays incomplete: its refs have moved since");
    return moved;
  }

  /** Under a lock: another process that finds the push in part would revert what this one is completing. */
  async function settleTorn(intent: PushIntent, writer: string | null): Promise<boolean> {
    if (!(await reassignIntent(db, { id: intent.id, writer }, presence.id))) return false;
    live.add(intent.id);
    try {
      const moved = await movedOf(intent);
      if (!moved) return false;
      await conclude(intent, isPartial(intent, moved) ? await completeOrRollBack(intent, moved) : moved);
      return true;
    } finally {
      live.delete(intent.id);
    }
  }

  async function settleLeftOpen({ ageMs, writer, ...intent }: OpenIntent): Promise<boolean> {
    const { removed, left } = await removeStaleLocks(intent.repositoryId, refsOf(intent));
    if (removed > 0) logger.warn({ push_id: intent.id, removed }, "removed locks of a push that was killed");
    const isLate = ageMs >= deps.giveUpAfterMs;
    // Another process is working on it, or was killed a moment ago.
    if (left > 0 && !isLate) return false;
    const moved = await movedOf(intent);
    if (!moved) return false;
    const isIncomplete = isPartial(intent, moved);
    if (isIncomplete && left > 0) return false;
    if (isIncomplete) return settleTorn(intent, writer);
    // Without a writer its Git is known to have ended.
    if (moved.length < intent.updates.length && !isLate && writer !== null) return false;
    await conclude(intent, moved);
    return true;
  }

  /** Its Git has ended: where it is still open, its locks are nobody's, and whoever comes first settles it. */
  async function release(id: string): Promise<void> {
    await reassignIntent(db, { id, writer: presence.id }, null);
  }

  async function settleOpen(repositoryId?: string): Promise<number> {
    const which = { limit: 100, repositoryId: repositoryId ?? null };
    const isAtWork = createActivityCheck();
    let settled = 0;
    for (const intent of await openIntents(db, deps.settleAfterMs, which)) {
      try {
        if (await isAtWork(intent)) continue;
        if (await settleLeftOpen(intent)) settled += 1;
        else if (intent.writer === presence.id) await release(intent.id);
      } catch (error) {
        logger.warn({ err: error, push_id: intent.id }, "could not settle a push; trying again");
      }
    }
    return settled;
  }

  return {
    settleOpen,
    async settle(intent) {
      const search = { directory: storage.directory(intent.repositoryId), refs: refsOf(intent), ageMs: 0 };
      try {
        // As a killed Git leaves them; they are for `settleOpen` when they are old enough.
        if (await hasOldLocks(search)) return;
        const moved = await movedOf(intent);
        if (moved && !isPartial(intent, moved)) await conclude(intent, moved);
      } finally {
        await release(intent.id);
      }
    },
    removeLocks: async (repositoryId, refs) => (await removeStaleLocks(repositoryId, refs)).removed,
    async freeLocks(repositoryId, refs) {
      const directory = storage.directory(repositoryId);
      if (!(await hasOldLocks({ directory, refs, ageMs: staleLockMs }))) return;
      // The process that left them may have applied a push in part, which must be settled before its refs are updated again.
      await settleOpen(repositoryId);
      const { removed } = await removeStaleLocks(repositoryId, refs);
      if (removed > 0)
        logger.warn({ repository_id: repositoryId, removed }, "removed locks that blocked a push");
    },
  };
}

function refsOf({ updates }: PushIntent): string[] {
  return updates.map(({ ref }) => ref);
}

function isPartial({ atomic, updates }: PushIntent, moved: readonly RefUpdate[]): boolean {
  return atomic && moved.length > 0 && moved.length < updates.length;
}
