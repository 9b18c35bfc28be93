/** Rows of `organization_invitations`. One that expired is as good as absent. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { InvitationsRows } from "./invitations.rows.ts";

const columns = `i.id, i.organization_id, o.name as organization, i.user_id, u.username, i.role,
  b.username as invited_by, i.created_at, i.expires_at`;
const joined = `organization_invitations i join owners o on o.id = i.organization_id
  join users u on u.id = i.user_id left join users b on b.id = i.invited_by`;

const ofWhom = `i.expires_at > now() and ($1::text is null or i.organization_id = $1) and ($2::text is null or i.user_id = $2)`;

export const statements = defineStatements<InvitationsRows>({
  listInvitations: `select ${columns} from ${joined} where ${ofWhom} order by i.id desc limit $3 offset $4`,
  findInvitation: `select ${columns} from ${joined} where ${ofWhom} and i.id = $3`,
  deleteExpired: `
    delete from organization_invitations where organization_id = $1 and user_id = $2 and expires_at <= now()`,
  insertInvitation: `
    insert into organization_invitations (id, organization_id, user_id, role, invited_by)
    values ($1, $2, $3, $4, $5) on conflict do nothing returning id`,
  deleteInvitation: "delete from organization_invitations where id = $1 and expires_at > now() returning id",
  dropInvitation: "delete from organization_invitations where organization_id = $1 and user_id = $2",
});

export type InvitationRow = InvitationsRows["findInvitation"];

/** For an organization, a user, or both; at least one is given. */
export interface InvitationFilter {
  organizationId?: string;
  userId?: string;
}

export async function listInvitations(
  db: Queryable,
  whose: InvitationFilter,
  page: PageQuery,
): Promise<{ rows: InvitationRow[]; total: number }> {
  const params = [whose.organizationId ?? null, whose.userId ?? null];
  const total = await countRows(db, `from organization_invitations i where ${ofWhom}`, params);
  const rows = await db.query(statements.listInvitations, [...params, page.per_page, offsetOf(page)]);
  return { rows, total };
}

export function findInvitation(
  db: Queryable,
  whose: InvitationFilter,
  id: string,
): Promise<InvitationRow | undefined> {
  return db.one(statements.findInvitation, [whose.organizationId ?? null, whose.userId ?? null, id]);
}

export interface NewInvitation {
  id: string;
  organizationId: string;
  userId: string;
  role: "owner" | "member";
  invitedBy: string | null;
}

/** False while there is another one that has not expired. */
export async function insertInvitation(tx: Transaction, invitation: NewInvitation): Promise<boolean> {
  const { id, organizationId, userId, role, invitedBy } = invitation;
  await tx.query(statements.deleteExpired, [organizationId, userId]);
  const row = await tx.one(statements.insertInvitation, [id, organizationId, userId, role, invitedBy]);
  return row !== undefined;
}

/** False if it no longer exists. */
export async function deleteInvitation(tx: Transaction, id: string): Promise<boolean> {
  const row = await tx.one(statements.deleteInvitation, [id]);
  return row !== undefined;
}

/** Members of the organization need none. */
export async function dropInvitation(
  tx: Transaction,
  whose: { organizationId: string; userId: string },
): Promise<void> {
  await tx.query(statements.dropInvitation, [whose.organizationId, whose.userId]);
}
