/** Rows of `import_requests`: who is asked whether they are somebody there. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { RequestsRows } from "./requests.rows.ts";

const isOpen = "q.created_at > now() - interval '7 days'";
const columns = `q.id, q.import_id, q.login, q.user_id, u.username, a.username as asked_by, q.asked_by as asked_by_id, i.host,
  i.source_path, i.repository_id, rn.full_name as repository, q.created_at, q.created_at + interval '7 days' as expires_at`;
const tables = `from import_requests q join imports i on i.id = q.import_id join repository_names rn on rn.repository_id = i.repository_id
  join users u on u.id = q.user_id join users a on a.id = q.asked_by`;
const own = `${tables} where q.user_id = $1 and ${isOpen}`;

export const statements = defineStatements<RequestsRows>({
  lockAsker: "select pg_advisory_xact_lock(hashtext('import_requests'), hashtext($1))",
  countOpen: `
    select count(*)::int as "all", count(*) filter (where q.user_id = $2)::int as same from import_requests q
    where q.asked_by = $1 and ${isOpen}`,
  removeLapsed: `delete from import_requests q where q.import_id = $1 and q.login = $2 and not ${isOpen}`,
  insert: `
    insert into import_requests (id, import_id, login, user_id, asked_by) values ($1, $2, $3, $4, $5)
    on conflict do nothing returning id`,
  listOf: `select ${columns} ${tables} where q.import_id = $1 and q.login = any ($2::text[]) and ${isOpen}`,
  listOwn: `select ${columns} ${own} order by q.created_at desc, q.id limit $2 offset $3`,
  findOwn: `select ${columns} ${own} and q.id = $2`,
  remove: "delete from import_requests where id = $1 returning id",
  removeOf: "delete from import_requests where import_id = $1 and login = $2",
  agree: `
    update imports set agreed = agreed || jsonb_build_object($2::text, $3::text), updated_at = now() where id = $1 returning id`,
  // Nothing where the repository has another owner by now: a transfer locks the import.
  nameMember: `
    update imports i set users = i.users || jsonb_build_object($2::text, $3::text), agreed = i.agreed - $2::text, updated_at = now()
    from repository_names rn where i.id = $1 and rn.repository_id = i.repository_id and rn.owner = $4 returning i.id`,
  // The new owner decides anew who is asked.
  removeInto:
    "delete from import_requests q using imports i where i.id = q.import_id and i.repository_id = $1",
});

export type RequestRow = RowOf<typeof statements.findOwn>;

/** Newest first. */
export async function listOwn(
  db: Queryable,
  userId: string,
  page: PageQuery,
): Promise<{ rows: RequestRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.query(statements.listOwn, [userId, page.per_page, offsetOf(page)]),
    countRows(db, own, [userId]),
  ]);
  return { rows, total };
}

/** Open ones of somebody; until the transaction ends they ask nobody else. */
export async function countOpen(
  tx: Transaction,
  askedBy: string,
  userId: string,
): Promise<{ all: number; same: number }> {
  await tx.query(statements.lockAsker, [askedBy]);
  return (await tx.one(statements.countOpen, [askedBy, userId])) ?? { all: 0, same: 0 };
}
