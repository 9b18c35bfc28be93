/** What the permission mechanism asks about repositories: does this actor see it, and with which level. */
import type { RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import type { Actor } from "../../platform/access/actor.ts";

export interface RepositoryRef {
  id: string;
  /** Names as they were created; addresses are compared without case. */
  owner: string;
  name: string;
  visibility: "private" | "internal" | "public";
  archived: boolean;
  /** Its refs come from an external repository, and from nobody else. */
  mirror: boolean;
  publicPipelines: boolean;
  defaultBranch: string;
  /** It was requested by an earlier name. */
  moved: boolean;
}

export type FoundRepository = { repository: RepositoryRef; level: RepositoryLevel } | undefined;

export interface RepositoryAccess {
  /**
   * The repository and the level of the actor's user there, whatever the token's scopes; of everyone where the token is
   * limited to others. Also by an earlier name.
   * Undefined when there is no such repository or the user does not see it. Anonymous actors have `read` on public ones.
   */
  find(owner: string, name: string, actor: Actor): Promise<FoundRepository>;
  /** The one of that name that was deleted last and can be restored. Undefined also for actors who could not administer it. */
  findDeleted(owner: string, name: string, actor: Actor): Promise<FoundRepository>;
}
