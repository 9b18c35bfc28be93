/** Filters that a repository shares with everybody who reads its lists. */
import {
  maxSharedFilters,
  type SharedFilter,
  type SharedFilterCreate,
  type SharedFilterUpdate,
} from "@forgeline/schemas/saved-filters/resource.ts";
import type { SharedFilterQuery } from "@forgeline/schemas/saved-filters/routes.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { askerOf, readAsked } from "../search/asked.ts";
import { presentSharedFilter } from "./present.ts";
import * as store from "./shared-filters.store.ts";

export interface SharedFilterService {
  list(
    repository: RepositoryRef,
    query: SharedFilterQuery,
  ): Promise<{ items: SharedFilter[]; total: number }>;
  /** Throws `not_found`; so do `update` and `remove`. */
  get(repository: RepositoryRef, id: string): Promise<SharedFilter>;
  /** Throws `conflict` for a name that is taken and past the most, `validation_failed` for the query. */
  create(actor: Actor, repository: RepositoryRef, wanted: SharedFilterCreate): Promise<SharedFilter>;
  /** As `create`. */
  update(
    actor: Actor,
    repository: RepositoryRef,
    wanted: SharedFilterUpdate & { id: string },
  ): Promise<SharedFilter>;
  remove(actor: Actor, repository: RepositoryRef, id: string): Promise<void>;
}

export function createSharedFilterService(deps: { db: Database; addresses: Addresses }): SharedFilterService {
  const { db, addresses } = deps;
  const shown = (row: store.SharedFilterRow, repository: RepositoryRef) =>
    presentSharedFilter(row, repository, addresses);
  return {
    async list(repository, query) {
      const { rows, total } = await store.listSharedFilters(db, repository.id, query);
      return { items: rows.map((row) => shown(row, repository)), total };
    },
    get: async (repository, id) =>
      shown(found(await db.one(store.statements.find, [repository.id, id])), repository),
    async create(actor, repository, { name, kind, query }) {
      readAsked("query", query, askerOf(actor));
      const id = newId("flt");
      const row = await db.transaction(async (tx) => {
        if ((await held(tx, repository.id)) >= maxSharedFilters)
          throw new AppError("conflict", {
            message: `A repository can share at most ${maxSharedFilters} filters.`,
          });
        await refuseRival(tx, repository.id, { id, kind, name });
        return tx.one(store.statements.insert, [id, repository.id, kind, name, query]);
      });
      return shown(found(row), repository);
    },
    async update(actor, repository, { id, ...wanted }) {
      if (wanted.query !== undefined) readAsked("query", wanted.query, askerOf(actor));
      const row = await db.transaction(async (tx) => {
        await held(tx, repository.id);
        const before = found(await tx.one(store.statements.find, [repository.id, id]));
        const { name = before.name, query = before.query } = wanted;
        await refuseRival(tx, repository.id, { id, kind: before.kind, name });
        return tx.one(store.statements.update, [repository.id, id, name, query]);
      });
      return shown(found(row), repository);
    },
    async remove(actor, repository, id) {
      await db.transaction(async (tx) => {
        const { name, query } = found(await tx.one(store.statements.remove, [repository.id, id]));
        await recordAudit(tx, actor, {
          action: "repo.filter_delete",
          target: {
            type: "repository",
            id: repository.id,
            name: `${repository.owner}/${repository.name}`,
          },
          details: { filter_id: id, filter: name, query },
        });
      });
    },
  };
}

/** Others that change filters of the repository wait until the transaction ends. Gives how many there are. */
async function held(tx: Transaction, repositoryId: string): Promise<number> {
  found(await tx.one(store.statements.holdRepository, [repositoryId]));
  return (await tx.one(store.statements.count, [repositoryId]))?.count ?? 0;
}

function found<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new AppError("not_found");
  return row;
}

interface Named {
  id: string;
  kind: string;
  name: string;
}

async function refuseRival(tx: Transaction, repositoryId: string, { id, kind, name }: Named) {
  if (await tx.one(store.statements.findRival, [repositoryId, kind, name, id]))
    throw new AppError("conflict", { message: `The repository shares a filter ${name} already.` });
}
