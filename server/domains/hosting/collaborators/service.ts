/** Users with a level on a single repository. Changes apply to the next request: levels are never cached. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import type { Database } from "../../../platform/db/database.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { recordAudit, type AuditEntry } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { UserRow } from "../../accounts/domain.ts";
import { recordRepositoryEvents, type NewEvent } from "../repositories/repository-events.ts";
import * as store from "./collaborators.store.ts";

export interface CollaboratorOf {
  user: UserRow;
  row: store.CollaboratorRow;
}

export interface CollaboratorService {
  list(
    repository: RepositoryRef,
    page: PageQuery,
  ): Promise<{ collaborators: CollaboratorOf[]; total: number }>;
  /** Throws `not_found` for an unknown user, `validation_failed` for the owner. May run twice. */
  set(
    actor: Actor,
    repository: RepositoryRef,
    wanted: { username: string; permission: RepositoryLevel },
  ): Promise<CollaboratorOf>;
  /** Throws `not_found` for a user who is not a collaborator. */
  remove(actor: Actor, repository: RepositoryRef, username: string): Promise<void>;
}

interface Deps {
  db: Database;
  users: {
    getByName(username: string): Promise<UserRow>;
    getMany(ids: readonly string[]): Promise<Map<string, UserRow>>;
  };
}

export function createCollaboratorService({ db, users }: Deps): CollaboratorService {
  return {
    async list(repository, page) {
      const { rows, total } = await store.listCollaborators(db, repository.id, page);
      const byId = await users.getMany(rows.map((row) => row.user_id));
      const collaborators = rows.flatMap((row) => {
        const user = byId.get(row.user_id);
        return user ? [{ user, row }] : [];
      });
      return { collaborators, total };
    },
    async set(actor, repository, { username, permission }) {
      const user = await users.getByName(username);
      const place = { repositoryId: repository.id, userId: user.id };
      const row = await db.transaction(async (tx) => {
        const held = await store.holdRepository(tx, repository.id);
        if (!held) throw new AppError("not_found");
        if (held.owner_id === user.id) throw isOwner();
        const before = await store.findPermission(tx, place);
        const after = await store.putCollaborator(tx, { ...place, permission });
        if (before === permission) return after;
        await recordAudit(tx, actor, change({ repository, user, before, permission }));
        await recordRepositoryEvents(tx, { repositoryId: repository.id, senderId: actor.userId }, [
          memberEvent({ user, before, permission }),
        ]);
        await tx.notify("token", "");
        return after;
      });
      return { user, row };
    },
    async remove(actor, repository, username) {
      const user = await users.getByName(username);
      await db.transaction(async (tx) => {
        const place = { repositoryId: repository.id, userId: user.id };
        const permission = await store.deleteCollaborator(tx, place);
        if (!permission) throw new AppError("not_found");
        await recordAudit(tx, actor, {
          action: "access.collaborator_remove",
          target: targetOf(repository),
          details: { user_id: user.id, username: user.username, permission },
        });
        await recordRepositoryEvents(tx, { repositoryId: repository.id, senderId: actor.userId }, [
          { kind: "member", action: "removed", subject: { permission }, userId: user.id },
        ]);
        await tx.notify("token", "");
      });
    },
  };
}

interface Change {
  repository: RepositoryRef;
  user: UserRow;
  before: RepositoryLevel | undefined;
  permission: RepositoryLevel;
}

function change({ repository, user, before, permission }: Change): AuditEntry {
  const target = targetOf(repository);
  const who = { user_id: user.id, username: user.username };
  if (before === undefined)
    return { action: "access.collaborator_add", target, details: { ...who, permission } };
  const details = { ...who, old_permission: before, new_permission: permission };
  return { action: "access.permission_change", target, details };
}

function memberEvent({ user, before, permission }: Omit<Change, "repository">): NewEvent {
  const kind = "member";
  if (before === undefined) return { kind, action: "added", subject: { permission }, userId: user.id };
  const subject = { permission, changes: { permission: { from: before } } };
  return { kind, action: "changed", subject, userId: user.id };
}

function targetOf(repository: RepositoryRef): AuditEntry["target"] {
  return { type: "repository", id: repository.id, name: `${repository.owner}/${repository.name}` };
}

function isOwner(): AppError {
  const message = "The owner of a repository has every right there already.";
  return invalidField("username", "not_allowed", message);
}
