/** Chooses the owner of a new repository, and writes its rows. */
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import { recordAudit } from "../../operation/domain.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { OrganizationAccess } from "../../policy/domain.ts";
import type { UserRow } from "../../accounts/domain.ts";
import type { NewOwner } from "./check-create.ts";
import { grantCreator } from "../collaborators/collaborators.store.ts";
import type { GainHandler } from "../followers.ts";
import { recordRepositoryEvents } from "./repository-events.ts";
import { insertRepository, type NewRepository } from "./repositories.store.ts";

export type OwnerWithRole = NewOwner & { role: "owner" | "member" };

/** Undefined if it is not an organization in which the actor may create repositories. */
export async function ownerOf(
  organizations: OrganizationAccess,
  { actor, user, wanted }: { actor: Actor; user: UserRow; wanted: string | undefined },
): Promise<OwnerWithRole | undefined> {
  if (wanted === undefined || wanted.toLowerCase() === user.username.toLowerCase())
    return { id: user.id, name: user.username, kind: "user", role: "owner" };
  const found = await organizations.find(wanted, actor);
  if (!found?.role || !found.createsRepositories) return undefined;
  return { ...found.organization, kind: "org", role: found.role };
}

export interface InsertionDeps {
  db: Database;
  /** Request measurement and statistics of the new repository. */
  marks: readonly ((tx: Transaction, repositoryId: string) => Promise<void>)[];
  whenGained: GainHandler;
}

/** Throws `conflict` for a name that the owner has used. */
export async function insertForOwner(
  { db, marks, whenGained }: InsertionDeps,
  {
    actor,
    repository,
    owner,
    details,
    also,
  }: {
    actor: Actor;
    repository: NewRepository;
    owner: OwnerWithRole;
    details?: Record<string, unknown>;
    /** Written with the repository, or not at all. */
    also?: (tx: Transaction, ownerId: string) => Promise<void>;
  },
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await insertRepository(tx, repository)))
      throw new AppError("conflict", { message: `${owner.name} already has a repository with this name.` });
    // The creator of a repository can administer it, even without any other right to do so.
    if (owner.role === "member") await grantCreator(tx, repository.id, userIdOf(actor));
    await also?.(tx, owner.id);
    for (const mark of marks) await mark(tx, repository.id);
    await whenGained(tx, { repositoryId: repository.id, userId: userIdOf(actor) });
    await recordAudit(tx, actor, {
      action: "repo.create",
      target: { type: "repository", id: repository.id, name: `${owner.name}/${repository.name}` },
      details: { visibility: repository.visibility, ...details },
    });
    await recordRepositoryEvents(tx, { repositoryId: repository.id, senderId: actor.userId }, [
      { kind: "repository", action: "created", subject: {} },
    ]);
  });
}
