/** Rows of `sso_identities`. Deleting one ends the sessions that it opened. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { IdentityRows } from "./identity.rows.ts";

const from = `from sso_identities i join owners o on o.id = i.organization_id join owners u on u.id = i.user_id`;
const selected = `select i.*, o.name as organization, u.name as username ${from}`;
const ofOrganization = "where i.organization_id = $1";
const ofUser = "where i.user_id = $1";
const newestFirst = "order by i.id desc limit $2 offset $3";

export const statements = defineStatements<IdentityRows>({
  findIdentity: `${selected} where i.organization_id = $1 and i.issuer = $2 and i.subject = $3`,
  insertIdentity: `
    insert into sso_identities (id, organization_id, user_id, issuer, subject) values ($1, $2, $3, $4, $5)
    on conflict do nothing returning id`,
  markUsed: "update sso_identities set last_used_at = now() where id = $1 returning id",
  listOfOrganization: `${selected} ${ofOrganization} ${newestFirst}`,
  listOfUser: `${selected} ${ofUser} ${newestFirst}`,
  lockIdentity: `${selected} where i.id = $1 and (i.organization_id = $2 or i.user_id = $3) for update of i`,
  deleteIdentity: "delete from sso_identities where id = $1",
  deleteIdentities: "delete from sso_identities where organization_id = $1 returning id",
});

/** `organization` is the organization's name. */
export type IdentityRow = IdentityRows["findIdentity"];

export interface Subject {
  organizationId: string;
  issuer: string;
  subject: string;
}

export function findIdentity(db: Queryable, who: Subject): Promise<IdentityRow | undefined> {
  return db.one(statements.findIdentity, [who.organizationId, who.issuer, who.subject]);
}

/** Undefined if the subject already has an account here, or the account an identity in this organization. */
export function insertIdentity(
  tx: Transaction,
  identity: Subject & { id: string; userId: string },
): Promise<{ id: string } | undefined> {
  return tx.one(statements.insertIdentity, [
    identity.id,
    identity.organizationId,
    identity.userId,
    identity.issuer,
    identity.subject,
  ]);
}

/** False when it is gone. */
export async function markUsed(tx: Transaction, id: string): Promise<boolean> {
  const row = await tx.one(statements.markUsed, [id]);
  return row !== undefined;
}

/** Of an organization, or of a user; newest first. */
export async function listIdentities(
  db: Queryable,
  whose: { organizationId: string } | { userId: string },
  page: PageQuery,
): Promise<{ rows: IdentityRow[]; total: number }> {
  const { statement, where, id } =
    "userId" in whose
      ? { statement: statements.listOfUser, where: ofUser, id: whose.userId }
      : { statement: statements.listOfOrganization, where: ofOrganization, id: whose.organizationId };
  const rows = await db.query(statement, [id, page.per_page, offsetOf(page)]);
  return { rows, total: await countRows(db, `${from} ${where}`, [id]) };
}

/** Undefined unless it belongs to the organization or the user. */
export async function deleteIdentity(
  tx: Transaction,
  id: string,
  whose: { organizationId: string } | { userId: string },
): Promise<IdentityRow | undefined> {
  const [organizationId, userId] = "userId" in whose ? [null, whose.userId] : [whose.organizationId, null];
  const row = await tx.one(statements.lockIdentity, [id, organizationId, userId]);
  if (row) await tx.query(statements.deleteIdentity, [id]);
  return row;
}

/** How many there were. */
export async function deleteIdentities(tx: Transaction, organizationId: string): Promise<number> {
  const rows = await tx.query(statements.deleteIdentities, [organizationId]);
  return rows.length;
}
