/** Organizations as administrators of the instance list and change them. */
import type { ListOrganizationsQuery } from "@forgeline/schemas/administration/routes.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Database, Queryable } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { AdminRows } from "./admin.rows.ts";
import { columns, type OrganizationRow } from "./organizations.store.ts";

const listFrom = `from organizations g join owners o on o.id = g.id
  where $1::text is null or concat_ws(E'\\n', o.name, g.display_name) ilike $1`;

export const statements = defineStatements<AdminRows>({
  listOrganizations: `select ${columns} ${listFrom} order by lower(o.name), g.id limit $2 offset $3`,
  setPlan: `
    update organizations g set plan = $2, updated_at = now() from organizations b join owners o on o.id = b.id
    where b.id = g.id and lower(o.name) = lower($1) returning g.id, o.name, b.plan as old_plan`,
});

export async function listOrganizations(
  db: Database,
  query: ListOrganizationsQuery,
): Promise<{ rows: OrganizationRow[]; total: number }> {
  const like = query.q === undefined ? null : `%${query.q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const rows = await db.query(statements.listOrganizations, [like, query.per_page, offsetOf(query)]);
  return { rows, total: await countRows(db, listFrom, [like]) };
}

/** Names are compared without case. Undefined where there is no such organization. */
export function setPlan(
  db: Queryable,
  name: string,
  plan: OrganizationRow["plan"],
): Promise<AdminRows["setPlan"] | undefined> {
  return db.one(statements.setPlan, [name, plan]);
}
