/** Offers of repositories to other owners. */
import type { Queryable } from "../../../platform/db/database.ts";

export const statements = defineStatements<RepositoryTransfersRows>({
  findReceiver: `
    select o.id, o.name, o.kind from owners o left join users u on u.id = o.id
    where lower(o.name) = lower($1) and (o.kind = 'org' or u.type = 'user' and not u.suspended)`,
  actsFor:
    "select user_id from organization_members where organization_id = $1 and user_id = $2 and role = 'owner'",
  findTransfer: `
    select t.receiver_id, o.name as receiver, o.kind as receiver_kind, u.username as requested_by, t.created_at,
      t.expires_at, coalesce(t.receiver_id = $2 or exists (select 1 from organization_members m
        where m.organization_id = t.receiver_id and m.user_id = $2 and m.role = 'owner'), false) as is_receiver
    from repository_transfers t join owners o on o.id = t.receiver_id left join users u on u.id = t.requested_by
    where t.repository_id = $1 and t.expires_at > now()`,
  putTransfer:
    "insert into repository_transfers (repository_id, receiver_id, requested_by) values ($1, $2, $3)",
  deleteTransfer: "delete from repository_transfers where repository_id = $1",
});
import { defineStatements } from "../../../platform/db/statement.ts";
import type { RepositoryTransfersRows } from "./repository-transfers.rows.ts";

export type Receiver = RepositoryTransfersRows["findReceiver"];

export interface TransferRow {
  receiver_id: string;
  receiver: string;
  receiver_kind: "user" | "org";
  requested_by: string | null;
  created_at: Date;
  expires_at: Date;
  /** The viewer is the receiver, or owns the receiving organization. */
  is_receiver: boolean;
}

/** Undefined for unknown names, bots and suspended users. */
export async function findReceiver(db: Queryable, name: string): Promise<Receiver | undefined> {
  return db.one(statements.findReceiver, [name]);
}

export async function actsFor(db: Queryable, receiverId: string, userId: string | null): Promise<boolean> {
  if (receiverId === userId) return true;
  const row = await db.one(statements.actsFor, [receiverId, userId]);
  return row !== undefined;
}

/** The open offer. */
export async function findTransfer(
  db: Queryable,
  repositoryId: string,
  viewerId: string | null,
): Promise<TransferRow | undefined> {
  return db.one(statements.findTransfer, [repositoryId, viewerId]);
}

/** Replaces an earlier one. */
export async function putTransfer(
  tx: Queryable,
  offer: { repositoryId: string; receiverId: string; requestedBy: string | null },
): Promise<void> {
  await deleteTransfer(tx, offer.repositoryId);
  await tx.query(statements.putTransfer, [offer.repositoryId, offer.receiverId, offer.requestedBy]);
}

export async function deleteTransfer(tx: Queryable, repositoryId: string): Promise<void> {
  await tx.query(statements.deleteTransfer, [repositoryId]);
}
