/** Which repositories may have privileged jobs, as administrators of the instance decide it. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { PrivilegedRepository } from "@forgeline/schemas/privileges/resource.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { recordAudit } from "../../operation/domain.ts";
import { presentPrivileged } from "./present.ts";
import * as store from "./privileges.store.ts";

export interface NamedRepository {
  owner: string;
  repo: string;
}

export interface PrivilegeService {
  /** By name. */
  list(page: PageQuery): Promise<{ items: PrivilegedRepository[]; total: number }>;
  /** Safe to repeat. Throws `not_found`. */
  allow(actor: Actor, named: NamedRepository): Promise<PrivilegedRepository>;
  /** Throws `not_found` where nothing was allowed. */
  refuse(actor: Actor, named: NamedRepository): Promise<void>;
}

export function createPrivilegeService({ db }: { db: Database }): PrivilegeService {
  return {
    async list(page) {
      const { rows, total } = await store.listPrivileged(db, page);
      return { items: rows.map(presentPrivileged), total };
    },
    allow: (actor, named) =>
      db.transaction(async (tx) => {
        const repository = await existing(tx, named);
        const isNew = await store.insertPrivileged(tx, repository.id, userIdOf(actor));
        if (isNew) await record(tx, actor, { action: "repository.allow_privileged", repository });
        const row = await store.findPrivileged(tx, repository.id);
        if (!row) throw new AppError("not_found");
        return presentPrivileged(row);
      }),
    refuse: (actor, named) =>
      db.transaction(async (tx) => {
        const repository = await existing(tx, named);
        if (!(await store.deletePrivileged(tx, repository.id))) throw new AppError("not_found");
        await record(tx, actor, { action: "repository.refuse_privileged", repository });
      }),
  };
}

async function existing(tx: Transaction, named: NamedRepository): Promise<{ id: string; name: string }> {
  const repository = await store.findRepository(tx, named);
  if (!repository) throw new AppError("not_found");
  return repository;
}

async function record(
  tx: Transaction,
  actor: Actor,
  {
    action,
    repository,
  }: {
    action: "repository.allow_privileged" | "repository.refuse_privileged";
    repository: { id: string; name: string };
  },
): Promise<void> {
  await recordAudit(tx, actor, { action, target: { type: "repository", ...repository }, details: {} });
}
