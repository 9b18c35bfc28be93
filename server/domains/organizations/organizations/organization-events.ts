/** Events of organizations (`docs/architecture/events.md`), recorded in the transaction of the change. */
import type { eventActions } from "@forgeline/schemas/events/event-kind.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { insertEvent } from "./organization-events.store.ts";

export interface MemberEvent {
  action: (typeof eventActions.member)[number];
  organizationId: string;
  userId: string;
  role: "owner" | "member";
  oldRole?: "owner" | "member";
}

export async function recordMemberEvent(tx: Transaction, actor: Actor, event: MemberEvent): Promise<void> {
  const { action, organizationId, userId, role, oldRole } = event;
  const subject = { role, ...(oldRole === undefined ? {} : { changes: { role: { from: oldRole } } }) };
  await insertEvent(tx, { kind: "member", action, organizationId, userId, senderId: actor.userId, subject });
  await tx.notify("event", "");
}

/** For one webhook alone, which no other follower is told of; its position. Throws `not_found`. */
export async function recordOrganizationPing(
  tx: Transaction,
  place: { organizationId: string; senderId: string | null },
  subject: object,
): Promise<number> {
  const ping = { kind: "ping", action: "requested", subject, userId: null };
  const position = await insertEvent(tx, { ...place, ...ping });
  if (position === undefined) throw new AppError("not_found");
  return position;
}
