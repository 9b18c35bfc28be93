/** Custom limits in PostgreSQL. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { CustomRows } from "./custom.rows.ts";

export const statements = defineStatements<CustomRows>({
  findAccount: `
    select o.id, o.name, coalesce(g.plan = 'enterprise', true) as entitled
    from owners o left join organizations g on g.id = o.id where lower(o.name) = lower($1) and o.kind = $2`,
  readCustom: "select category, requests from rate_limit_overrides where owner_id = $1 order by category",
  deleteCustom: "delete from rate_limit_overrides where owner_id = $1",
  insertCustom: `
    insert into rate_limit_overrides (owner_id, category, requests)
    select $1, wanted.category, wanted.requests from unnest($2::text[], $3::bigint[]) as wanted (category, requests)
    on conflict (owner_id, category) do update set requests = excluded.requests`,
});

/** `entitled`: whether custom limits of it count; those of organizations of other plans than `enterprise` rest. */
export type Account = CustomRows["findAccount"];

/** Names are compared without case. */
export function findAccount(
  db: Queryable,
  account: { name: string; kind: "user" | "org" },
): Promise<Account | undefined> {
  return db.one(statements.findAccount, [account.name, account.kind]);
}

export function readCustom(db: Queryable, ownerId: string): Promise<CustomRows["readCustom"][]> {
  return db.query(statements.readCustom, [ownerId]);
}

export async function replaceCustom(
  db: Queryable,
  ownerId: string,
  rows: readonly { category: string; requests: number }[],
): Promise<void> {
  await db.query(statements.deleteCustom, [ownerId]);
  await db.query(statements.insertCustom, [
    ownerId,
    rows.map((row) => row.category),
    rows.map((row) => row.requests),
  ]);
}
