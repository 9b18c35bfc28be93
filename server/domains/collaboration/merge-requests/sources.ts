/** In which repository the source branch of a merge request may be, and what people may do with it there. */
import { levelCovers } from "@forgeline/schemas/core/repository-levels.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { ForkNetwork, PushService, Upstreams } from "../../hosting/domain.ts";
import type { Authorizer, GrantedRepository, RepositoryRef } from "../../policy/domain.ts";

export interface MergeRequestSources {
  /**
   * The repository with the source branch: of this name, or the same one. Throws `forbidden` for a branch of the repository itself
   * without Write there, and `validation_failed` for another repository that is no fork of it, or where the actor may not push.
   */
  choose(actor: Actor, granted: GrantedRepository, name: string | undefined): Promise<RepositoryRef>;
  /** Deletes a branch that was merged, unless somebody has pushed there, a rule protects it, or the actor may not. */
  removeBranch(actor: Actor, target: RepositoryRef, merged: MergedBranch): Promise<void>;
}

export interface MergedBranch {
  /** Null: its repository is gone. */
  repositoryId: string | null;
  branch: string;
  head: string;
}

export interface MergeRequestSourcesDeps {
  authorizer: Pick<Authorizer, "authorizeRepository">;
  forkNetwork: ForkNetwork;
  upstreams: Pick<Upstreams, "see">;
  pushes: Pick<PushService, "move">;
  logger: Logger;
}

/** Proposing shows its commits, so the credential has to reach it; nothing is written there. */
const toPropose = { access: "repo_write", scope: "repo:read" } as const;
const toDelete = { access: "repo_write", scope: "repo:write" } as const;

export function createMergeRequestSources(deps: MergeRequestSourcesDeps): MergeRequestSources {
  const { authorizer, pushes } = deps;

  async function readForeign(actor: Actor, name: string): Promise<RepositoryRef> {
    const [owner = "", repo = ""] = name.split("/");
    const address = { owner, name: repo };
    return authorizer.authorizeRepository(actor, toPropose, address).then(
      ({ repository }) => repository,
      (error: unknown) => {
        throw asProblem(error, name);
      },
    );
  }

  /** Undefined where the actor may not delete branches of it. */
  async function writable(actor: Actor, repositoryId: string): Promise<RepositoryRef | undefined> {
    const seen = await deps.upstreams.see(repositoryId, actor);
    if (!seen) return undefined;
    const { owner, name } = seen.repository;
    const granted = await authorizer
      .authorizeRepository(actor, toDelete, { owner, name })
      .catch(unlessRefused);
    return granted?.repository;
  }

  return {
    async choose(actor, { repository, level }, name = `${repository.owner}/${repository.name}`) {
      const isHere = name.toLowerCase() === `${repository.owner}/${repository.name}`.toLowerCase();
      const source = isHere ? repository : await readForeign(actor, name);
      if (source.id === repository.id) {
        if (levelCovers(level, "write")) return repository;
        throw new AppError("forbidden", { message: hereText });
      }
      if (await deps.forkNetwork.areRelated(repository.id, source.id)) return source;
      throw invalidField("source_repo", "unrelated", "It is no fork of this repository.");
    },
    async removeBranch(actor, target, { repositoryId, branch, head }) {
      const isHere = repositoryId === target.id;
      const source = isHere ? target : repositoryId && (await writable(actor, repositoryId));
      if (!source || branch === source.defaultBranch) return;
      const update = { ref: `refs/heads/${branch}`, before: head, after: zeroId };
      await pushes.move(source, actor, { update }).catch((error: unknown) => {
        // It is merged, and the branch stays: somebody pushed there, or a rule protects it.
        if (!(error instanceof AppError))
          deps.logger.warn({ err: error }, "could not delete a merged branch");
      });
    },
  };
}

const hereText =
  "It takes the permission write to propose a branch of this repository. Fork it, push there, and name your fork as source_repo.";

/** What is hidden and what is absent must read the same. */
function asProblem(error: unknown, name: string): unknown {
  if (!(error instanceof AppError)) return error;
  const named = name.slice(0, 201);
  if (error.code === "not_found")
    return invalidField("source_repo", "unknown", `There is no repository ${named} that you can read.`);
  if (error.code === "repository_archived")
    return invalidField("source_repo", "archived", `${named} is archived.`);
  if (error.code === "forbidden")
    return invalidField("source_repo", "not_allowed", `It takes the permission write in ${named}.`);
  return error;
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error;
}
