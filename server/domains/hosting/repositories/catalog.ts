/** Repositories for domains that know them by id only; the container passes this to them. */
import type { RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import type { Repository } from "@forgeline/schemas/repositories/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { presentRepository } from "./present.ts";
import { findByIds } from "./repositories.store.ts";
import { createRepositoryViews } from "./views.ts";
import type { VisibleNames } from "./visible-names.ts";

export interface RepositoryCatalog {
  /** As the REST interface shows them, by id; only those that exist. `levels`: what the actor may do with each, by id. */
  present(
    actor: Actor,
    levels: ReadonlyMap<string, RepositoryLevel>,
  ): Promise<ReadonlyMap<string, Repository>>;
}

export function createRepositoryCatalog(deps: {
  db: Queryable;
  addresses: Addresses;
  visibleNames: VisibleNames;
}): RepositoryCatalog {
  const views = createRepositoryViews(deps.visibleNames);
  return {
    async present(actor, levels) {
      const ids = [...levels.keys()];
      const rows = ids.length === 0 ? [] : await findByIds(deps.db, ids);
      const leveled = rows.flatMap((row) => {
        const level = levels.get(row.id);
        return level ? [{ ...row, level }] : [];
      });
      const found = await views.all(actor, leveled);
      return new Map(found.map((view) => [view.row.id, presentRepository(view, deps.addresses)]));
    },
  };
}
