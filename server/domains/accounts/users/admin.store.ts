/** Rows of `users` as administrators list and change them. */
import type { ListUsersQuery } from "@forgeline/schemas/administration/routes.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Database, Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import type { UserRow } from "./users.store.ts";
import type { AdminRows } from "./admin.rows.ts";

const columns = `u.id, u.username, u.display_name, u.email, u.email_public, u.type, u.plan, u.is_admin, u.suspended,
  u.created_at, u.updated_at,
  exists (select 1 from two_factor t where t.user_id = u.id and t.enabled_at is not null) as two_factor_enabled`;

const listFrom = `from users u where $1::text is null
  or concat_ws(E'\\n', u.username, u.display_name, u.email) ilike $1`;

export const statements = defineStatements<AdminRows>({
  listUsers: `select ${columns} ${listFrom} order by lower(u.username), u.id limit $2 offset $3`,
  lockAdministrators: "select id from users where is_admin order by id for no key update",
  hasAdministrator: "select 1 from users where is_admin and not suspended limit 1",
  updateStatus: "update users set suspended = $2, is_admin = $3, plan = $4, updated_at = now() where id = $1",
});

export async function listUsers(
  db: Database,
  query: ListUsersQuery,
): Promise<{ rows: UserRow[]; total: number }> {
  const like = query.q === undefined ? null : `%${query.q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const rows = await db.query(statements.listUsers, [like, query.per_page, offsetOf(query)]);
  return { rows, total: await countRows(db, listFrom, [like]) };
}

/** Locks the administrators until the commit, so that two requests cannot remove the last two at once. */
export async function lockAdministrators(db: Queryable): Promise<void> {
  await db.query(statements.lockAdministrators);
}

export async function hasAdministrator(db: Queryable): Promise<boolean> {
  return (await db.one(statements.hasAdministrator)) !== undefined;
}

export async function updateStatus(
  db: Queryable,
  id: string,
  standing: Pick<UserRow, "suspended" | "is_admin" | "plan">,
): Promise<void> {
  await db.query(statements.updateStatus, [id, standing.suspended, standing.is_admin, standing.plan]);
}
