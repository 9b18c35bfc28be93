/** Deploy keys: SSH keys that belong to one repository instead of a person. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { DeployKeyCreate } from "@forgeline/schemas/deploy-keys/resource.ts";
import type { Database } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit, type AuditEntry } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { keyInUse, readKey, type DeployKeyRow, type DeployKeys } from "../../accounts/domain.ts";
import { holdRepository } from "./deploy-keys.store.ts";

export interface DeployKeyService {
  list(repository: RepositoryRef, page: PageQuery): Promise<{ rows: DeployKeyRow[]; total: number }>;
  /** Throws `not_found`. */
  get(repository: RepositoryRef, id: string): Promise<DeployKeyRow>;
  /**
   * Throws `validation_failed` for a key that is not accepted, `conflict` for one that is in use anywhere on the instance, and
   * if the repository has reached its limit.
   */
  add(actor: Actor, repository: RepositoryRef, given: DeployKeyCreate): Promise<DeployKeyRow>;
  /** Throws `not_found`. */
  remove(actor: Actor, repository: RepositoryRef, id: string): Promise<void>;
}

const maxKeys = 100;

export function createDeployKeyService(deps: { db: Database; deployKeys: DeployKeys }): DeployKeyService {
  const { db, deployKeys } = deps;
  return {
    list: (repository, page) => deployKeys.list(repository.id, page),
    async get(repository, id) {
      const row = await deployKeys.find(repository.id, id);
      if (!row) throw new AppError("not_found");
      return row;
    },
    async add(actor, repository, given) {
      const key = { ...readKey(given), permission: given.permission, addedBy: actor.userId };
      return db.transaction(async (tx) => {
        if (!(await holdRepository(tx, repository.id))) throw new AppError("not_found");
        if ((await deployKeys.count(tx, repository.id)) >= maxKeys)
          throw new AppError("conflict", { message: `A repository has at most ${maxKeys} deploy keys.` });
        const row = await deployKeys.add(tx, {
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
        const row = await deployKeys.remove(tx, repository.id, id);
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
