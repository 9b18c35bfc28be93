/** Repositories as teams show them. Hosting provides this; the container passes it on. */
import type { RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import type { Repository } from "@forgeline/schemas/repositories/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";

export interface RepositoryCatalog {
  /** As the REST interface shows them, by id; only those that exist. `levels`: what the actor may do with each, by id. */
  present(
    actor: Actor,
    levels: ReadonlyMap<string, RepositoryLevel>,
  ): Promise<ReadonlyMap<string, Repository>>;
}
