/** Creates, finds and lists repositories. Permissions are checked before, by the one permission mechanism. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { RepositoryCreate } from "@forgeline/schemas/repositories/resource.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { writeFirstCommit } from "../../../platform/git/objects/first-commit.ts";
import type { RunGit } from "../../../platform/git/processes/run-git.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Clock } from "../../../platform/clock.ts";
import { newId } from "../../../platform/ids.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Revalidate } from "../../../platform/http/revalidate.ts";
import type { RecordedPush } from "../pushes/push.ts";
import type { GrantedRepository, OrganizationAccess } from "../../policy/domain.ts";
import { type UserRow, commitIdentity } from "../../accounts/domain.ts";
import type { RepositoryRows } from "./access.ts";
import { checkCreate, type NewOwner } from "./check-create.ts";
import { adoptFirstBranch } from "./first-branch.ts";
import { chooseTemplates, firstFiles, type Templates } from "./first-files.ts";
import { findById, type NewRepository, type RepositoryRow } from "./repositories.store.ts";
import { insertForOwner, ownerOf, type InsertionDeps } from "./choose-owner.ts";
import { listAccessible } from "./list-accessible.store.ts";
import { listForks, listVisible } from "./visible-list.store.ts";
import type { RepositoryView, RepositoryViews } from "./views.ts";

type Listed = Promise<{ views: RepositoryView[]; total: number }>;

export interface RepositoryService {
  /** Throws `validation_failed`, and `conflict` for a name that the owner has used. */
  create(actor: Actor, wanted: RepositoryCreate): Promise<RepositoryView>;
  /**
   * To be called after a push to an empty repository: makes its branch the default one. A second call changes nothing. Returns
   * messages for the pusher.
   */
  adoptFirstBranch(push: RecordedPush, actor: Actor): Promise<string[]>;
  /** Throws `not_found`. */
  get(id: string): Promise<RepositoryRow>;
  /** The same from the view of an actor. */
  view(actor: Actor, granted: GrantedRepository, revalidate: Revalidate): Promise<RepositoryView>;
  /** What the user owns, collaborates on, or has through organizations and teams, by name. */
  listOwn(actor: Actor, page: PageQuery): Listed;
  /** Repositories of an owner that the actor sees with its token, by name. */
  listOfOwner(actor: Actor, ownerId: string, page: PageQuery): Listed;
  /** As `listOfOwner`. Throws `not_found` where nobody has this name. */
  listOfUser(actor: Actor, username: string, page: PageQuery): Listed;
  /** Forks of a repository that the actor sees with its token, newest first. */
  listForks(actor: Actor, upstreamId: string, page: PageQuery): Listed;
}

export interface RepositoryServiceDeps extends InsertionDeps {
  storage: RepositoryStorage;
  runGit: RunGit;
  clock: Clock;
  users: { get(id: string): Promise<UserRow>; getByName(username: string): Promise<UserRow> };
  repositoryAccess: Pick<RepositoryRows, "rowOf">;
  views: RepositoryViews;
  templates: Templates;
  organizations: OrganizationAccess;
}

export function createRepositoryService(deps: RepositoryServiceDeps): RepositoryService {
  const { db, storage, views } = deps;

  async function listOfOwner(actor: Actor, ownerId: string, page: PageQuery) {
    const { rows, total } = await listVisible(db, { ownerId, actor, page });
    return { views: await views.all(actor, rows), total };
  }

  async function get(id: string): Promise<RepositoryRow> {
    const row = await findById(db, id);
    if (!row) throw new AppError("not_found");
    return row;
  }

  return {
    get,
    adoptFirstBranch: (push, actor) => adoptFirstBranch(deps, push, actor),
    async view(actor, { repository, level }, revalidate) {
      const row = deps.repositoryAccess.rowOf(repository) ?? (await get(repository.id));
      // A fork also shows its upstream's name, which can change independently.
      if (row.upstream_id === null) revalidate(JSON.stringify([row, level]));
      return views.one(actor, row, level);
    },
    async create(actor, wanted) {
      if (actor.userId === null) throw new AppError("unauthorized");
      const user = await deps.users.get(actor.userId);
      const chosen = await chooseTemplates(deps.templates, wanted);
      const wantedOwner = await ownerOf(deps.organizations, { actor, user, wanted: wanted.owner });
      const { owner, visibility } = checkCreate(wanted, wantedOwner, chosen.unknown);
      const holder = { name: nameOfHolder(owner, user), year: deps.clock.now().getUTCFullYear() };
      const files = await firstFiles(deps.templates, { wanted, chosen, holder });
      const repository: NewRepository = {
        id: newId("repo"),
        ownerId: owner.id,
        name: wanted.name,
        description: wanted.description,
        visibility,
        defaultBranch: wanted.default_branch,
      };
      // The directory is created first, so that each row has one. A crash in between leaves an empty directory without a row.
      await storage.create(repository.id, repository.defaultBranch);
      try {
        await begin(deps, { repository, user, files });
        await insertForOwner(deps, { actor, repository, owner });
      } catch (error) {
        await storage.remove(repository.id);
        throw error;
      }
      return views.one(actor, await get(repository.id), "admin");
    },
    async listOwn(actor, page) {
      if (actor.userId === null) throw new AppError("unauthorized");
      const { userId, isAdmin, repositoryIds } = actor;
      const limits = { limit: page.per_page, offset: offsetOf(page) };
      const { rows, total } = await listAccessible(db, { userId, isAdmin, repositoryIds }, limits);
      return { views: await views.all(actor, rows), total };
    },
    listOfOwner,
    async listOfUser(actor, username, page) {
      const { id } = await deps.users.getByName(username);
      return listOfOwner(actor, id, page);
    },
    async listForks(actor, upstreamId, page) {
      const { rows, total } = await listForks(db, { upstreamId, actor, page });
      return { views: await views.all(actor, rows), total };
    },
  };
}

function nameOfHolder(owner: NewOwner, user: UserRow): string {
  return owner.kind === "org" ? owner.name : user.display_name || user.username;
}

async function begin(
  deps: RepositoryServiceDeps,
  { repository, user, files }: { repository: NewRepository; user: UserRow; files: Record<string, string> },
): Promise<void> {
  if (Object.keys(files).length === 0) return;
  await writeFirstCommit(deps.runGit, {
    directory: deps.storage.directory(repository.id),
    branch: repository.defaultBranch,
    author: commitIdentity(user),
    message: "Initial commit\n",
    files,
    time: deps.clock.now(),
  });
}
