/**
 * Deletes repositories: hidden at first, and restorable for a week; then removed for good by a sweeper that every server runs
 * and that locks the row while it works, so that each is removed by one server.
 */
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { UpkeepTask } from "../../../platform/upkeep-task.ts";
import { recordAudit } from "../../operation/domain.ts";
import { systemActor, type Actor } from "../../../platform/access/actor.ts";
import type { GrantedRepository, RepositoryRef } from "../../policy/domain.ts";
import { dropRepository, lockExpired, markDeleted, unmarkDeleted } from "./deletion.store.ts";
import { recordRepositoryEvents } from "./repository-events.ts";
import { conflictIfTaken } from "./settings.store.ts";
import { findById } from "./repositories.store.ts";
import type { RepositoryView, RepositoryViews } from "./views.ts";

export interface RepositoryDeletion {
  /** Nobody sees it from the next request on; its runs are cancelled. Throws `not_found`. */
  remove(actor: Actor, repository: RepositoryRef): Promise<void>;
  /** Throws `not_found`, and `conflict` when its name is in use. */
  restore(actor: Actor, granted: GrantedRepository): Promise<RepositoryView>;
  /** Removes for good those whose time is over; how many. May run in many processes, and again after a crash. */
  sweep(): Promise<number>;
  upkeepTasks: readonly UpkeepTask[];
}

export interface RepositoryDeletionDeps {
  db: Database;
  storage: RepositoryStorage;
  logger: Logger;
  views: RepositoryViews;
  /** Followers that act in the transaction that hides it. */
  whenDeleted(tx: Transaction, actor: Actor, repository: RepositoryRef): Promise<void>;
  /** Requests the statistics that were not computed while it was deleted. */
  markStatistics(tx: Transaction, repositoryId: string): Promise<void>;
  /** Removes what is stored outside the database for a repository, if anything; called before its rows are deleted. */
  removeContent(repositoryId: string): Promise<void>;
}

const sweepEveryMs = 10 * 60 * 1000;

export function createRepositoryDeletion(deps: RepositoryDeletionDeps): RepositoryDeletion {
  const { db } = deps;

  async function sweep(): Promise<number> {
    let removed = 0;
    while (await removeOne(deps)) removed += 1;
    return removed;
  }

  return {
    sweep,
    async remove(actor, repository) {
      await db.transaction(async (tx) => {
        if (!(await markDeleted(tx, repository.id))) throw new AppError("not_found");
        await recordAudit(tx, actor, { action: "repo.delete", target: targetOf(repository) });
        await recordRepositoryEvents(tx, { repositoryId: repository.id, senderId: actor.userId }, [
          { kind: "repository", action: "deleted", subject: {} },
        ]);
        await deps.whenDeleted(tx, actor, repository);
        await tx.notify("token", "");
      });
    },
    async restore(actor, { repository, level }) {
      const restored = await db.transaction(async (tx) => {
        const row = await findById(tx, repository.id);
        if (!row) throw new AppError("not_found");
        const outcome = await conflictIfTaken(row.owner, () => unmarkDeleted(tx, row));
        if (outcome === "gone") throw new AppError("not_found");
        if (outcome === "taken")
          throw new AppError("conflict", {
            message: `${repository.owner} has another repository with this name by now.`,
          });
        await deps.markStatistics(tx, repository.id);
        await recordAudit(tx, actor, { action: "repo.restore", target: targetOf(repository) });
        await recordRepositoryEvents(tx, { repositoryId: repository.id, senderId: actor.userId }, [
          { kind: "repository", action: "restored", subject: {} },
        ]);
        return (await findById(tx, repository.id)) ?? row;
      });
      return deps.views.one(actor, restored, level);
    },
    upkeepTasks: [{ name: "remove_deleted_repositories", everyMs: sweepEveryMs, run: () => sweep() }],
  };
}

/** The row is deleted last: until then, the next sweep removes what is left. */
async function removeOne({ db, storage, logger, removeContent }: RepositoryDeletionDeps): Promise<boolean> {
  return db.transaction(async (tx) => {
    const expired = await lockExpired(tx);
    if (!expired) return false;
    const row = await findById(tx, expired.id);
    await removeContent(expired.id);
    await storage.remove(expired.id);
    await dropRepository(tx, expired.id);
    const name = row ? `${row.owner}/${row.name}` : expired.id;
    const target = { type: "repository", id: expired.id, name };
    await recordAudit(tx, systemActor, { action: "repo.purge", target });
    logger.info({ repository_id: expired.id }, "removed a repository that was deleted");
    return true;
  });
}

function targetOf(repository: RepositoryRef) {
  return { type: "repository", id: repository.id, name: `${repository.owner}/${repository.name}` };
}
