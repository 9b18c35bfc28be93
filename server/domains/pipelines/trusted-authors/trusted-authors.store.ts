/** Rows of `trusted_authors`. */
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Database, Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { TrustedAuthorsRows } from "./trusted-authors.rows.ts";

const from = `from trusted_authors t join users u on u.id = t.user_id left join users b on b.id = t.trusted_by
  where t.repository_id = $1 and t.expires_at > now()`;

export const statements = defineStatements<TrustedAuthorsRows>({
  list: `
    select u.id, u.username, b.id as by_id, b.username as by_username, t.trusted_at, t.expires_at ${from}
    order by lower(u.username) limit $2 offset $3`,
  put: `
    insert into trusted_authors (repository_id, user_id, trusted_by, expires_at)
    values ($1, $2, $3, now() + make_interval(days => $4))
    on conflict (repository_id, user_id) do update
    set trusted_by = excluded.trusted_by, trusted_at = now(), expires_at = excluded.expires_at`,
  findUsername: "select username from users where id = $1",
  remove: `
    delete from trusted_authors t using users u
    where t.repository_id = $1 and u.id = t.user_id and lower(u.username) = lower($2) and t.expires_at > now()
    returning u.id, u.username`,
});

export type TrustedAuthorRow = RowOf<typeof statements.list>;

/** Those that count now, by name. */
export async function listTrusted(
  db: Database,
  repositoryId: string,
  page: { page: number; per_page: number },
): Promise<{ rows: TrustedAuthorRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.query(statements.list, [repositoryId, page.per_page, offsetOf(page)]),
    countRows(db, from, [repositoryId]),
  ]);
  return { rows, total };
}

/** For so many days from now. */
export async function putTrusted(
  tx: Transaction,
  repositoryId: string,
  { userId, trustedBy, days }: { userId: string; trustedBy: string | null; days: number },
): Promise<void> {
  await tx.query(statements.put, [repositoryId, userId, trustedBy, days]);
}

/** undefined where the account is gone. */
export async function findUsername(db: Queryable, userId: string): Promise<string | undefined> {
  return (await db.one(statements.findUsername, [userId]))?.username;
}

/** undefined where nobody of this name is trusted. */
export function removeTrusted(tx: Transaction, repositoryId: string, username: string) {
  return tx.one(statements.remove, [repositoryId, username]);
}
