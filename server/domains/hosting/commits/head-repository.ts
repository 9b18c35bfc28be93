/** In which repository the head of a comparison is. */
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Authorizer, RepositoryRef } from "../../policy/domain.ts";
import type { ForkNetwork } from "../forks/network.ts";

export interface HeadRepositoryDeps {
  authorizer: Pick<Authorizer, "authorizeRepository">;
  forkNetwork: ForkNetwork;
}

const toRead = { access: "repo_read", scope: "repo:read" } as const;

/**
 * The one of this name, or the same one. Throws `not_found` where the actor cannot read it, and where they were not forked from each
 * other, so that one cannot be told from the other.
 */
export async function findHeadRepository(
  { authorizer, forkNetwork }: HeadRepositoryDeps,
  { actor, repository }: { actor: Actor; repository: RepositoryRef },
  fullName: string | undefined,
): Promise<RepositoryRef> {
  if (fullName === undefined) return repository;
  const [owner = "", name = ""] = fullName.split("/");
  const found = (await authorizer.authorizeRepository(actor, toRead, { owner, name })).repository;
  if (found.id === repository.id || (await forkNetwork.areRelated(repository.id, found.id))) return found;
  throw new AppError("not_found");
}
