/** What a fork comes from, for those who may read it. */
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { RepositoryAccess, RepositoryRef } from "../../policy/domain.ts";
import type { RepositoryRow } from "../repositories/repositories.store.ts";
import type { RepositoryService } from "../repositories/service.ts";

export interface Upstreams {
  /** A repository that is there, with the level of the actor; undefined where it is gone, deleted, or out of sight. */
  see(repositoryId: string, actor: Actor): ReturnType<RepositoryAccess["find"]>;
  /** Undefined where it is no fork, or its upstream is gone, deleted, or out of the actor's sight. */
  of(repositoryId: string, actor: Actor): Promise<RepositoryRef | undefined>;
}

export interface UpstreamDeps {
  repositories: Pick<RepositoryService, "get">;
  repositoryAccess: RepositoryAccess;
}

export function createUpstreams({ repositories, repositoryAccess }: UpstreamDeps): Upstreams {
  async function find(repositoryId: string): Promise<RepositoryRow | undefined> {
    const row = await repositories.get(repositoryId).catch(unlessAbsent);
    return row?.deleted_at === null ? row : undefined;
  }

  const see: Upstreams["see"] = async (repositoryId, actor) => {
    const row = await find(repositoryId);
    const found = row && (await repositoryAccess.find(row.owner, row.name, actor));
    // Another one may have taken the name meanwhile.
    return found?.repository.id === repositoryId ? found : undefined;
  };

  return {
    see,
    async of(repositoryId, actor) {
      const row = await find(repositoryId);
      return row?.upstream_id ? (await see(row.upstream_id, actor))?.repository : undefined;
    },
  };
}

function unlessAbsent(error: unknown): undefined {
  if (error instanceof AppError && error.code === "not_found") return undefined;
  throw error;
}
