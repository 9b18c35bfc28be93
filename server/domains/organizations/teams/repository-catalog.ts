/** What teams show of the repositories that they were granted. Hosting has it; the container hands it over. */
import type { RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import type { Repository } from "@forgeline/schemas/repositories/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";

export interface RepositoryCatalog {
  /** As the REST interface shows them, by id; those that there are. `levels`: what the actor may do with each, by id. */
  present(
    actor: Actor,
    levels: ReadonlyMap<string, RepositoryLevel>,
  ): Promise<ReadonlyMap<string, Repository>>;
}
