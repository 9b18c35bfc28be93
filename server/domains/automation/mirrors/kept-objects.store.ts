/** Rows of `kept_objects`. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { KeptObjectsRows } from "./kept-objects.rows.ts";

const keptDays = 30;
const kept = `now() + interval '${keptDays} days'`;

export const statements = defineStatements<KeptObjectsRows>({
  insertKept: `
    insert into kept_objects as k (repository_id, oid, until)
    select $1, o.oid, case when $3::boolean then null else ${kept} end from unnest($2::text[]) as o (oid)
    on conflict (repository_id, oid) do update set until = case when k.until is null then null else excluded.until end`,
  countKept: "select count(*)::int as count from kept_objects where repository_id = $1",
  limitKept: `update kept_objects set until = ${kept} where repository_id = $1 and until is null`,
  listExpired:
    "select repository_id, oid from kept_objects where until < now() order by repository_id, oid limit $1",
  deleteKept: "delete from kept_objects where repository_id = $1 and oid = any($2::text[])",
});

/** For 30 days; `always`: as long as the repository is a mirror. */
export async function insertKept(
  db: Queryable,
  repositoryId: string,
  { oids, always }: { oids: readonly string[]; always: boolean },
): Promise<void> {
  await db.query(statements.insertKept, [repositoryId, oids, always]);
}

export async function countKept(db: Queryable, repositoryId: string): Promise<number> {
  return (await db.one(statements.countKept, [repositoryId]))?.count ?? 0;
}

/** It is no mirror any more: what was kept for that is kept for 30 days more. */
export async function limitKept(tx: Transaction, repositoryId: string): Promise<void> {
  await tx.query(statements.limitKept, [repositoryId]);
}

export function listExpired(db: Queryable, limit: number): Promise<KeptObjectsRows["listExpired"][]> {
  return db.query(statements.listExpired, [limit]);
}

export async function deleteKept(
  db: Queryable,
  repositoryId: string,
  oids: readonly string[],
): Promise<void> {
  await db.query(statements.deleteKept, [repositoryId, oids]);
}
