/** Filters that people keep for themselves. */
import {
  maxSavedFilters,
  type SavedFilter,
  type SavedFilterCreate,
  type SavedFilterUpdate,
} from "@forgeline/schemas/saved-filters/resource.ts";
import type { SavedFilterQuery } from "@forgeline/schemas/saved-filters/routes.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { askerOf, readAsked } from "../search/asked.ts";
import { presentSavedFilter } from "./present.ts";
import * as store from "./saved-filters.store.ts";

export interface SavedFilterService {
  list(actor: Actor, query: SavedFilterQuery): Promise<{ items: SavedFilter[]; total: number }>;
  /** Throws `not_found`. */
  get(actor: Actor, id: string): Promise<SavedFilter>;
  /** Throws `conflict` for a name that is taken and past the most, `validation_failed` for the query and the repository. */
  create(actor: Actor, wanted: SavedFilterCreate): Promise<SavedFilter>;
  /** As `create`; also throws `not_found`. */
  update(actor: Actor, id: string, wanted: SavedFilterUpdate): Promise<SavedFilter>;
  /** Throws `not_found`. */
  remove(actor: Actor, id: string): Promise<void>;
}

export function createSavedFilterService(deps: { db: Database; addresses: Addresses }): SavedFilterService {
  const { db, addresses } = deps;

  async function find(actor: Actor, id: string) {
    const row = await store.findFilter(db, ownerOf(actor), id);
    if (!row) throw new AppError("not_found");
    return row;
  }
  const get = async (actor: Actor, id: string) => presentSavedFilter(await find(actor, id), addresses);

  async function repositoryIdOf(actor: Actor, name: string | undefined): Promise<string | null> {
    if (name === undefined) return null;
    const { userId, isAdmin } = ownerOf(actor);
    const repository = await db.one(store.statements.findRepository, [userId, isAdmin, name]);
    if (!repository) throw invalidField("repository", "unknown", "There is no such repository.");
    return repository.id;
  }

  return {
    async list(actor, query) {
      const { rows, total } = await store.listFilters(db, ownerOf(actor), query);
      return { items: rows.map((row) => presentSavedFilter(row, addresses)), total };
    },
    get,
    async create(actor, { name, kind, query, repository }) {
      const userId = userIdOf(actor);
      readAsked("query", query, askerOf(actor));
      const repositoryId = await repositoryIdOf(actor, repository);
      const id = newId("flt");
      await db.transaction(async (tx) => {
        if ((await store.holdFilters(tx, ownerOf(actor))) >= maxSavedFilters)
          throw new AppError("conflict", { message: `You can save at most ${maxSavedFilters} filters.` });
        await refuseRival(tx, { userId, repositoryId, kind, name, id });
        await tx.query(store.statements.insert, [id, userId, repositoryId, kind, name, query]);
      });
      return get(actor, id);
    },
    async update(actor, id, wanted) {
      const userId = userIdOf(actor);
      if (wanted.query !== undefined) readAsked("query", wanted.query, askerOf(actor));
      const before = await find(actor, id);
      const { name = before.name, query = before.query } = wanted;
      const { kind, repository_id: repositoryId } = before;
      await db.transaction(async (tx) => {
        await store.holdFilters(tx, ownerOf(actor));
        await refuseRival(tx, { userId, repositoryId, kind, name, id });
        await tx.query(store.statements.update, [userId, id, name, query]);
      });
      return get(actor, id);
    },
    async remove(actor, id) {
      if (!(await db.one(store.statements.remove, [userIdOf(actor), id]))) throw new AppError("not_found");
    },
  };
}

function ownerOf(actor: Actor): store.Owner {
  return { userId: userIdOf(actor), isAdmin: actor.isAdmin };
}

interface Wanted {
  userId: string;
  repositoryId: string | null;
  kind: string;
  name: string;
  id: string;
}

async function refuseRival(tx: Transaction, { userId, repositoryId, kind, name, id }: Wanted) {
  if (await tx.one(store.statements.findRival, [userId, repositoryId, kind, name, id]))
    throw new AppError("conflict", { message: `You have a filter ${name} already.` });
}
