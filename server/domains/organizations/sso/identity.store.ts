/** Rows of `sso_identities`. Deleting one ends the sessions that it opened. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";

export interface IdentityRow {
  id: string;
  organization_id: string;
  /** The organization's name. */
  organization: string;
  user_id: string;
  username: string;
  issuer: string;
  subject: string;
  last_used_at: Date | null;
  created_at: Date;
}

export interface Subject {
  organizationId: string;
  issuer: string;
  subject: string;
}

const from = `from sso_identities i join owners o on o.id = i.organization_id join owners u on u.id = i.user_id`;
const selected = `select i.*, o.name as organization, u.name as username ${from}`;

export function findIdentity(db: Queryable, who: Subject): Promise<IdentityRow | undefined> {
  return db.one<IdentityRow>(
    `${selected} where i.organization_id = $1 and i.issuer = $2 and i.subject = $3`,
    [who.organizationId, who.issuer, who.subject],
  );
}

/** Undefined when the subject has an account here already, or the account a subject of this organization. */
export function insertIdentity(
  tx: Transaction,
  identity: Subject & { id: string; userId: string },
): Promise<{ id: string } | undefined> {
  return tx.one<{ id: string }>(
    `insert into sso_identities (id, organization_id, user_id, issuer, subject) values ($1, $2, $3, $4, $5)
     on conflict do nothing returning id`,
    [identity.id, identity.organizationId, identity.userId, identity.issuer, identity.subject],
  );
}

/** False when it is gone. */
export async function markUsed(tx: Transaction, id: string): Promise<boolean> {
  const row = await tx.one(`update sso_identities set last_used_at = now() where id = $1 returning id`, [id]);
  return row !== undefined;
}

/** Of an organization, or of a user; newest first. */
export async function listIdentities(
  db: Queryable,
  whose: { organizationId: string } | { userId: string },
  page: PageQuery,
): Promise<{ rows: IdentityRow[]; total: number }> {
  const [where, id] =
    "userId" in whose
      ? ["where i.user_id = $1", whose.userId]
      : ["where i.organization_id = $1", whose.organizationId];
  const rows = await db.query<IdentityRow>(`${selected} ${where} order by i.id desc limit $2 offset $3`, [
    id,
    page.per_page,
    offsetOf(page),
  ]);
  return { rows, total: await countRows(db, `${from} ${where}`, [id]) };
}

/** Undefined unless it is the organization's, or the user's. */
export async function deleteIdentity(
  tx: Transaction,
  id: string,
  whose: { organizationId: string } | { userId: string },
): Promise<IdentityRow | undefined> {
  const [organizationId, userId] = "userId" in whose ? [null, whose.userId] : [whose.organizationId, null];
  const row = await tx.one<IdentityRow>(
    `${selected} where i.id = $1 and (i.organization_id = $2 or i.user_id = $3) for update of i`,
    [id, organizationId, userId],
  );
  if (row) await tx.query(`delete from sso_identities where id = $1`, [id]);
  return row;
}

/** How many there were. */
export async function deleteIdentities(tx: Transaction, organizationId: string): Promise<number> {
  const rows = await tx.query(`delete from sso_identities where organization_id = $1 returning id`, [
    organizationId,
  ]);
  return rows.length;
}
