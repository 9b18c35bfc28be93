/** Rows of `organization_members`. */
import type { MemberQuery } from "@forgeline/schemas/organization-members/resource.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { OrganizationMembersRows } from "./organization-members.rows.ts";

export type Role = "owner" | "member";

export interface Membership {
  organizationId: string;
  userId: string;
}

const ofOrganization = `from organization_members m join users u on u.id = m.user_id
  where m.organization_id = $1 and ($2::text is null or m.role = $2)`;

export const statements = defineStatements<OrganizationMembersRows>({
  listMembers: `
    select m.user_id, m.role, m.created_at ${ofOrganization} order by lower(u.username) limit $3 offset $4`,
  findMember: `
    select user_id, role, created_at from organization_members where organization_id = $1 and user_id = $2`,
  insertMember: `
    insert into organization_members (organization_id, user_id, role, agreed) values ($1, $2, $3, $4)
    on conflict do nothing returning user_id, role, created_at`,
  updateRole: "update organization_members set role = $3 where organization_id = $1 and user_id = $2",
  deleteMember: "delete from organization_members where organization_id = $1 and user_id = $2 returning role",
  listOwned: `
    select o.id, o.name from organization_members m join owners o on o.id = m.organization_id
    where m.user_id = $1 and m.role = 'owner' order by o.id`,
  findOtherOwner: `
    select m.user_id from organization_members m join users u on u.id = m.user_id
    where m.organization_id = $1 and m.role = 'owner' and m.user_id <> $2 and not u.suspended limit 1`,
});

export type MemberRow = OrganizationMembersRows["findMember"];

/** By name. */
export async function listMembers(
  db: Queryable,
  organizationId: string,
  query: MemberQuery,
): Promise<{ rows: MemberRow[]; total: number }> {
  const params = [organizationId, query.role ?? null];
  const total = await countRows(db, ofOrganization, params);
  const rows = await db.query(statements.listMembers, [...params, query.per_page, offsetOf(query)]);
  return { rows, total };
}

export function findMember(
  db: Queryable,
  { organizationId, userId }: Membership,
): Promise<MemberRow | undefined> {
  return db.one(statements.findMember, [organizationId, userId]);
}

/** Undefined if the user is already a member. `agreed`: the user, or an administrator of the instance, agreed to it. */
export function insertMember(
  tx: Transaction,
  { organizationId, userId, role, agreed }: Membership & { role: Role; agreed: boolean },
): Promise<MemberRow | undefined> {
  return tx.one(statements.insertMember, [organizationId, userId, role, agreed]);
}

export async function updateRole(tx: Transaction, member: Membership & { role: Role }): Promise<void> {
  await tx.query(statements.updateRole, [member.organizationId, member.userId, member.role]);
}

/** Undefined if the user was not a member. */
export function deleteMember(
  tx: Transaction,
  { organizationId, userId }: Membership,
): Promise<{ role: Role } | undefined> {
  return tx.one(statements.deleteMember, [organizationId, userId]);
}

/** Always in the same order, because each is then locked. */
export function listOwned(tx: Transaction, userId: string): Promise<{ id: string; name: string }[]> {
  return tx.query(statements.listOwned, [userId]);
}

/** A suspended owner cannot act, and does not count. */
export async function hasOtherOwner(
  tx: Transaction,
  { organizationId, userId }: Membership,
): Promise<boolean> {
  const row = await tx.one(statements.findOtherOwner, [organizationId, userId]);
  return row !== undefined;
}
