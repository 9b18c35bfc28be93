/** Locks: who is working on a file. Git LFS clients respect them when they push. */
import { maxLocksPage, type LfsLock, type LfsLockQuery } from "@forgeline/schemas/lfs/messages.ts";
import type { Database } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import { newId } from "../../../platform/ids.ts";
import { isStorable } from "../../../platform/storable-text.ts";
import { pathProblem } from "../contents/check-path.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { deleteLock, insertLock, listLocks, type LockRow } from "./lock.store.ts";
import { presentLock } from "./present.ts";

/** As for a ref. The path is part of a unique key, which PostgreSQL limits to about 2,700 bytes. */
const maxPathBytes = 1_024;

export interface LockPage<T> {
  rows: T[];
  next: string | null;
}

export interface LfsLocks {
  /** Throws `validation_failed` without a path, `forbidden` for an actor who is not a user, `conflict` with the existing `lock`. */
  create(actor: Actor, repositoryId: string, path: string): Promise<LfsLock>;
  list(repositoryId: string, query: LfsLockQuery): Promise<LockPage<LfsLock>>;
  /** All locks, and for each whether it is the actor's. */
  verify(
    actor: Actor,
    repositoryId: string,
    query: Pick<LfsLockQuery, "cursor" | "limit">,
  ): Promise<LockPage<{ lock: LfsLock; ours: boolean }>>;
  /** Throws `not_found`, and `forbidden` for another's lock without `force`. */
  remove(actor: Actor, lock: { repositoryId: string; id: string; force: boolean }): Promise<LfsLock>;
}

export function createLfsLocks({ db }: { db: Database }): LfsLocks {
  async function page(repositoryId: string, query: LfsLockQuery): Promise<LockPage<LockRow>> {
    const max = Math.min(query.limit || maxLocksPage, maxLocksPage);
    const rows = await listLocks(db, repositoryId, {
      path: emptyToNull(query.path),
      id: emptyToNull(query.id),
      after: emptyToNull(query.cursor),
      max: max + 1,
    });
    return { rows: rows.slice(0, max), next: rows.length > max ? (rows[max - 1]?.id ?? null) : null };
  }

  async function findOne(repositoryId: string, filter: { path?: string; id?: string }) {
    const { rows } = await page(repositoryId, { ...filter, limit: 1, cursor: null });
    return rows[0];
  }

  return {
    async create(actor, repositoryId, path) {
      const problem = lockedPathProblem(path);
      if (problem) throw new AppError("validation_failed", { message: problem });
      if (actor.userId === null || actor.kind === "job")
        throw new AppError("forbidden", { message: "Only users can hold locks." });
      const made = await insertLock(db, { id: newId("lck"), repositoryId, path, ownerId: actor.userId });
      const row = await findOne(repositoryId, { path });
      if (!row) throw new AppError("unavailable", { message: "The file was just unlocked; try again." });
      if (!made)
        throw new AppError("conflict", {
          message: `${row.owner} has already locked this file.`,
          extra: { lock: presentLock(row) },
        });
      return presentLock(row);
    },
    async list(repositoryId, query) {
      const { rows, next } = await page(repositoryId, query);
      return { rows: rows.map(presentLock), next };
    },
    async verify(actor, repositoryId, query) {
      const { rows, next } = await page(repositoryId, query);
      return {
        rows: rows.map((row) => ({ lock: presentLock(row), ours: row.owner_id === actor.userId })),
        next,
      };
    },
    async remove(actor, { repositoryId, id, force }) {
      const row = await findOne(repositoryId, { id });
      if (!row) throw new AppError("not_found", { message: "The lock does not exist." });
      if (row.owner_id !== actor.userId && !force)
        throw new AppError("forbidden", {
          message: `${row.owner} holds this lock; use force to remove it.`,
        });
      await deleteLock(db, repositoryId, id);
      return presentLock(row);
    },
  };
}

function lockedPathProblem(path: string): string | undefined {
  if (!isStorable(path)) return "A path must be text.";
  if (Buffer.byteLength(path) > maxPathBytes) return "The path of a lock can have at most 1,024 bytes.";
  return pathProblem(path);
}

/** Clients send empty strings for filters that they do not use. */
function emptyToNull(text: string | null | undefined): string | null {
  return text ? text : null;
}
