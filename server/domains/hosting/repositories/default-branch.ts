/** Names another branch as the default of a repository, in the database and in Git. */
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import { recordAudit } from "../../operation/domain.ts";
import { lockRepository, saveSettings } from "./settings.store.ts";

export interface DefaultBranchDeps {
  db: Database;
  storage: RepositoryStorage;
  /** What is counted again then. */
  marks: readonly ((tx: Transaction, repositoryId: string) => Promise<void>)[];
}

/** False, with nothing changed, where `from` is not the default any more. */
export function nameDefaultBranch(
  { db, storage, marks }: DefaultBranchDeps,
  actor: Actor,
  { repositoryId, from, to }: { repositoryId: string; from: string; to: string },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const before = await lockRepository(tx, repositoryId);
    if (before?.default_branch !== from) return false;
    await saveSettings(tx, before, { ...before, default_branch: to });
    await recordAudit(tx, actor, {
      action: "repo.settings_change",
      target: { type: "repository", id: before.id, name: `${before.owner}/${before.name}` },
      details: { changes: { default_branch: { from, to } } },
    });
    await storage.setDefaultBranch(repositoryId, to);
    for (const mark of marks) await mark(tx, repositoryId);
    return true;
  });
}
