/** Deploy keys: SSH keys that are nobody's, and reach one repository. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { DeployKeyCreate } from "@forgeline/schemas/deploy-keys/resource.ts";
import type { Database } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit, type AuditEntry } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import * as store from "../../accounts/ssh-keys/deploy-keys.store.ts";
import type { DeployKeyRow } from "../../accounts/ssh-keys/deploy-keys.store.ts";
import { keyInUse, readKey } from "../../accounts/domain.ts";

export interface DeployKeyService {
  list(repository: RepositoryRef, page: PageQuery): Promise<{ rows: DeployKeyRow[]; total: number }>;
  /** Throws `not_found`. */
  get(repository: RepositoryRef, id: string): Promise<DeployKeyRow>;
  /**
   * Throws `validation_failed` for what is no key that we take, `conflict` for one that is in use anywhere on the
   * instance, and where the repository has as many as it may.
   */
  add(actor: Actor, repository: RepositoryRef, given: DeployKeyCreate): Promise<DeployKeyRow>;
  /** Throws `not_found`. */
  remove(actor: Actor, repository: RepositoryRef, id: string): Promise<void>;
}

const maxKeys = 100;

export function createDeployKeyService({ db }: { db: Database }): DeployKeyService {
  return {
    list: (repository, page) => store.listDeployKeys(db, repository.id, page),
    async get(repository, id) {
      const row = await store.findDeployKey(db, repository.id, id);
      if (!row) throw new AppError("not_found");
      return row;
    },
    async add(actor, repository, given) {
      const key = { ...readKey(given), permission: given.permission, addedBy: actor.userId };
      return db.transaction(async (tx) => {
        const count = await store.holdAndCount(tx, repository.id);
        if (count === undefined) throw new AppError("not_found");
        if (count >= maxKeys)
          throw new AppError("conflict", { message: `A repository has at most ${maxKeys} deploy keys.` });
        const row = await store.insertDeployKey(tx, {
          ...key,
          id: newId("key"),
          repositoryId: repository.id,
        });
        if (!row) throw keyInUse();
        await recordAudit(tx, actor, entry("access.deploy_key_add", repository, row));
        return row;
      });
    },
    async remove(actor, repository, id) {
      await db.transaction(async (tx) => {
        const row = await store.deleteDeployKey(tx, repository.id, id);
        if (!row) throw new AppError("not_found");
        await recordAudit(tx, actor, entry("access.deploy_key_remove", repository, row));
      });
    },
  };
}

function entry(action: AuditEntry["action"], repository: RepositoryRef, row: DeployKeyRow): AuditEntry {
  return {
    action,
    target: { type: "repository", id: repository.id, name: `${repository.owner}/${repository.name}` },
    details: { key_id: row.id, title: row.title, fingerprint: row.fingerprint, permission: row.permission },
  };
}
