/** What the mirror of a repository does with it. */
import type { Transaction } from "../../../platform/db/database.ts";
import { systemActor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { isBranchName } from "./check-create.ts";
import { nameDefaultBranch, type DefaultBranchDeps } from "./default-branch.ts";
import { findById } from "./repositories.store.ts";
import { refOfRow } from "./ref-of-row.ts";
import { lockRepository, setMirror } from "./settings.store.ts";

export interface Mirroring {
  /** From now on nobody pushes to it, or everybody may again. Throws `not_found`. */
  setMirror(tx: Transaction, repositoryId: string, mirror: boolean): Promise<void>;
  /** Nobody pushes to it until it is released. Throws `not_found`. */
  setImporting(tx: Transaction, repositoryId: string): Promise<void>;
  /** Everybody may push again, also once it is restored; does nothing where it is gone. */
  release(tx: Transaction, repositoryId: string): Promise<void>;
  /** Undefined where it is gone, deleted, archived, or no mirror. */
  find(repositoryId: string): Promise<RepositoryRef | undefined>;
  /** The default branch of the source becomes that of the mirror, whether it is there yet or not. */
  followDefaultBranch(repository: RepositoryRef, branch: string): Promise<void>;
}

export function createMirroring(deps: DefaultBranchDeps): Mirroring {
  async function setLocked(tx: Transaction, id: string, wanted: Parameters<typeof setMirror>[2]) {
    if (!(await lockRepository(tx, id))) throw new AppError("not_found");
    await setMirror(tx, id, wanted);
  }

  return {
    setMirror: (tx, id, mirror) => setLocked(tx, id, { mirror, importing: false }),
    setImporting: (tx, id) => setLocked(tx, id, { mirror: true, importing: true }),
    release: (tx, repositoryId) => setMirror(tx, repositoryId, { mirror: false, importing: false }),
    async find(repositoryId) {
      const row = await findById(deps.db, repositoryId);
      if (!row || row.deleted_at !== null || row.archived || !row.mirror) return undefined;
      return refOfRow(row);
    },
    async followDefaultBranch({ id: repositoryId, defaultBranch }, branch) {
      if (branch === defaultBranch || !isBranchName(branch)) return;
      await nameDefaultBranch(deps, systemActor, { repositoryId, from: defaultBranch, to: branch });
    },
  };
}
