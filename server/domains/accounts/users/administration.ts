/** What administrators do with accounts. The instance is never left without an administrator. */
import type { AdministeredUserUpdate } from "@forgeline/schemas/administration/resource.ts";
import type { ListUsersQuery } from "@forgeline/schemas/administration/routes.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { hasAdministrator, listUsers, lockAdministrators, updateStatus } from "./admin.store.ts";
import { findUserByName, type UserRow } from "./users.store.ts";

export interface UserAdministration {
  list(query: ListUsersQuery): Promise<{ rows: UserRow[]; total: number }>;
  /** Effective at once on every server; run again it changes nothing. Throws `not_found`, `conflict`. */
  update(actor: Actor, username: string, change: AdministeredUserUpdate): Promise<UserRow>;
}

/** Applies a suspension in other domains, in its transaction; returns the names of the organizations that it changed. */
export type SuspensionHandler = (tx: Transaction, actor: Actor, userId: string) => Promise<string[]>;

export function createUserAdministration(deps: {
  db: Database;
  onSuspension: readonly SuspensionHandler[];
  /** Ends every session of a user, in the caller's transaction. */
  endSessions(tx: Transaction, userId: string): Promise<void>;
  /** Ends what programs may do in a user's name, likewise. */
  endGrantedTokens(tx: Transaction, userId: string): Promise<void>;
}): UserAdministration {
  return {
    list: (query) => listUsers(deps.db, query),
    update: (actor, username, change) =>
      deps.db.transaction(async (tx) => {
        await lockAdministrators(tx);
        const before = await findUserByName(tx, username);
        if (!before) throw new AppError("not_found");
        const after: UserRow = {
          ...before,
          suspended: change.suspended ?? before.suspended,
          is_admin: change.admin ?? before.is_admin,
          plan: change.plan ?? before.plan,
        };
        refuseInvalidChange(actor, before, after);
        await updateStatus(tx, before.id, after);
        if (!(await hasAdministrator(tx)))
          throw conflict("This is the last administrator; make another user an administrator first.");
        const ends = after.suspended && !before.suspended;
        const ownerOf: string[] = [];
        if (ends) {
          for (const handle of deps.onSuspension) ownerOf.push(...(await handle(tx, actor, before.id)));
          await deps.endSessions(tx, before.id);
          await deps.endGrantedTokens(tx, before.id);
        }
        await recordChanges(tx, { actor, before, after, ownerOf });
        // Drops what servers have cached of any credential of the user.
        await tx.notify("token", "");
        return after;
      }),
  };
}

function refuseInvalidChange(actor: Actor, before: UserRow, after: UserRow): void {
  if (after.suspended && before.id === actor.userId) throw conflict("You cannot suspend your own account.");
  if (after.is_admin && before.type === "bot") throw conflict("A bot cannot be an administrator.");
}

interface Change {
  actor: Actor;
  before: UserRow;
  after: UserRow;
  /** Organizations that the actor now owns instead of the user. */
  ownerOf: readonly string[];
}

async function recordChanges(tx: Transaction, { actor, before, after, ownerOf }: Change): Promise<void> {
  const target = { type: "user", id: before.id, name: before.username };
  if (after.suspended !== before.suspended)
    await recordAudit(tx, actor, {
      action: after.suspended ? "user.suspend" : "user.unsuspend",
      target,
      ...(ownerOf.length > 0 ? { details: { became_owner_of: ownerOf } } : {}),
    });
  if (after.is_admin === before.is_admin && after.plan === before.plan) return;
  await recordAudit(tx, actor, {
    action: "admin.user_change",
    target,
    details: { old_admin: before.is_admin, admin: after.is_admin, old_plan: before.plan, plan: after.plan },
  });
}

function conflict(message: string): AppError {
  return new AppError("conflict", { message });
}
