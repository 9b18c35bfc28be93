/** Names of repositories, filtered by what a viewer can see. */
import { repositoryScopes, scopeCovers } from "@forgeline/schemas/core/scopes.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { findVisibleNames } from "./repositories.store.ts";

/** Full names by id: those of `ids` that the actor sees, with what its token allows. No statement where there are none. */
export type VisibleNames = (actor: Actor, ids: readonly string[]) => Promise<Map<string, string>>;

export function createVisibleNames(db: Queryable): VisibleNames {
  return async (actor, ids) => {
    if (ids.length === 0) return new Map();
    const seesHidden = repositoryScopes.some((scope) => scopeCovers(actor.scopes, scope));
    const viewer = seesHidden ? actor : { userId: null, isAdmin: false, repositoryIds: null };
    const rows = await findVisibleNames(db, ids, viewer);
    return new Map(rows.map((row) => [row.id, row.full_name]));
  };
}
