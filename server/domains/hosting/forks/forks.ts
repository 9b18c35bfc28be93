/** Forks: repositories that begin as a copy of another one and keep a link to it. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { RepositoryFork } from "@forgeline/schemas/repositories/resource.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { copyRepository } from "../../../platform/git/storage/copy-repository.ts";
import type { Git } from "../../../platform/git/processes/run-git.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { newId } from "../../../platform/ids.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { OrganizationAccess, RepositoryRef } from "../../policy/domain.ts";
import type { UserRow } from "../../accounts/domain.ts";
import {
  insertForOwner,
  ownerOf,
  type InsertionDeps,
  type OwnerWithRole,
} from "../repositories/choose-owner.ts";
import type { NewRepository, RepositoryRow } from "../repositories/repositories.store.ts";
import type { RepositoryService } from "../repositories/service.ts";
import type { RepositoryView, RepositoryViews } from "../repositories/views.ts";

export interface ForkService {
  /**
   * Throws `validation_failed` that names the field, `conflict` for a name that the owner has used, `quota_exceeded` if the
   * owner has no room for its LFS objects, and `unavailable` if too many are being created.
   */
  create(actor: Actor, upstream: RepositoryRef, wanted: RepositoryFork): Promise<RepositoryView>;
  /** Those that the actor sees, newest first. */
  list(
    actor: Actor,
    upstream: RepositoryRef,
    page: PageQuery,
  ): Promise<{ views: RepositoryView[]; total: number }>;
}

export interface ForkDeps extends InsertionDeps {
  repositories: Pick<RepositoryService, "get" | "listForks">;
  storage: RepositoryStorage;
  git: Git;
  users: { get(id: string): Promise<UserRow> };
  organizations: OrganizationAccess;
  views: RepositoryViews;
  /** Copies what is stored outside Git; the returned function links that to the fork, and may throw `quota_exceeded`. */
  copyContent(from: string, to: string): Promise<(tx: Transaction, ownerId: string) => Promise<void>>;
  /** Removes it again for a fork that failed. */
  removeContent(repositoryId: string): Promise<void>;
}

/** In this process; each takes two Git processes that read and write as fast as the disk. */
const maxCopies = 4;

export function createForkService(deps: ForkDeps): ForkService {
  const { repositories, storage, views } = deps;
  let copies = 0;

  async function copy(upstream: RepositoryRef, repository: NewRepository): Promise<void> {
    if (copies >= maxCopies) throw new AppError("unavailable", { retryAfterSeconds: 10 });
    copies += 1;
    try {
      await storage.create(repository.id, repository.defaultBranch);
      await copyRepository(deps.git, storage.directory(upstream.id), storage.directory(repository.id));
    } finally {
      copies -= 1;
    }
  }

  return {
    async create(actor, upstream, wanted) {
      // A credential that cannot reach other repositories must not copy their content into a new one.
      if (actor.repositoryIds !== null)
        throw new AppError("forbidden", {
          message: "This token is limited to some repositories and cannot create new ones.",
        });
      const user = await deps.users.get(userIdOf(actor));
      const owner = await ownerOf(deps.organizations, { actor, user, wanted: wanted.owner });
      if (!owner) throw notAllowed();
      const source = await repositories.get(upstream.id);
      const repository = newFork(source, owner, wanted.name);
      try {
        await copy(upstream, repository);
        const also = await deps.copyContent(source.id, repository.id);
        const details = { fork_of: `${source.owner}/${source.name}` };
        await insertForOwner(deps, { actor, repository, owner, details, also });
      } catch (error) {
        await deps.removeContent(repository.id);
        await storage.remove(repository.id);
        throw error;
      }
      return views.one(actor, await repositories.get(repository.id), "admin");
    },
    list: (actor, upstream, page) => repositories.listForks(actor, upstream.id, page),
  };
}

/** A fork is never visible to more people than its upstream: `internal` is only in the same organization. */
function newFork(source: RepositoryRow, owner: OwnerWithRole, name: string | undefined): NewRepository {
  const leaves = source.visibility === "internal" && owner.id !== source.owner_id;
  return {
    id: newId("repo"),
    ownerId: owner.id,
    name: name ?? source.name,
    description: source.description,
    visibility: leaves ? "private" : source.visibility,
    defaultBranch: source.default_branch,
    upstreamId: source.id,
  };
}

function notAllowed(): AppError {
  const message = "This is not an organization in which you can create repositories.";
  return invalidField("owner", "not_allowed", message);
}
