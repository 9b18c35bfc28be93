/** Rows of `saved_filters`: those of one person, for repositories that they can read now. */
import type { SavedFilterQuery } from "@forgeline/schemas/saved-filters/routes.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { levelSql } from "../../policy/domain.ts";
import type { SavedFiltersRows } from "./saved-filters.rows.ts";

const level = levelSql({ repository: "r", user: "$1::text", admin: "$2::boolean" });
const isNamed = (p: string) => `exists (select 1 from repository_names rn where rn.repository_id = r.id
      and lower(rn.full_name) = lower(${p}::text))`;
const readable = `from saved_filters f left join repositories r on r.id = f.repository_id
    where f.user_id = $1 and (f.repository_id is null or ${level} is not null)`;
const wanted = `${readable} and ($3::text is null or ${isNamed("$3")}) and ($4::text is null or f.kind = $4)`;
const columns = `f.id, f.name, f.kind, f.query, f.repository_id, f.created_at, f.updated_at,
    (select rn.full_name from repository_names rn where rn.repository_id = f.repository_id) as full_name`;

export const statements = defineStatements<SavedFiltersRows>({
  list: `select ${columns} ${wanted} order by lower(f.name), f.id limit $5 offset $6`,
  find: `select ${columns} ${readable} and f.id = $3`,
  holdUser: "select id from users where id = $1 for no key update",
  // Those that their owner sees, and so can delete.
  count: `select count(*)::int as count ${readable}`,
  findRepository: `select r.id from repositories r where ${level} is not null and ${isNamed("$3")}`,
  findRival: `
    select id from saved_filters where user_id = $1 and repository_id is not distinct from $2::text and kind = $3
      and lower(name) = lower($4) and id <> $5`,
  insert: `
    insert into saved_filters (id, user_id, repository_id, kind, name, query) values ($1, $2, $3, $4, $5, $6)`,
  update: "update saved_filters set name = $3, query = $4, updated_at = now() where user_id = $1 and id = $2",
  remove: "delete from saved_filters where user_id = $1 and id = $2 returning id",
});

export type SavedFilterRow = RowOf<typeof statements.find>;

export interface Owner {
  userId: string;
  isAdmin: boolean;
}

export async function listFilters(
  db: Queryable,
  { userId, isAdmin }: Owner,
  { repository = null, kind = null, ...page }: Nullable<SavedFilterQuery>,
): Promise<{ rows: SavedFilterRow[]; total: number }> {
  const asked = [userId, isAdmin, repository, kind];
  const [rows, total] = await Promise.all([
    db.query(statements.list, [...asked, page.per_page, offsetOf(page)]),
    countRows(db, wanted, asked),
  ]);
  return { rows, total };
}

type Nullable<Query> = {
  [Name in keyof Query]: Query[Name] | (undefined extends Query[Name] ? null : never);
};

export function findFilter(
  db: Queryable,
  { userId, isAdmin }: Owner,
  id: string,
): Promise<SavedFilterRow | undefined> {
  return db.one(statements.find, [userId, isAdmin, id]);
}

/** Others that save a filter of theirs wait until the transaction ends. Gives how many there are. */
export async function holdFilters(tx: Transaction, { userId, isAdmin }: Owner): Promise<number> {
  await tx.one(statements.holdUser, [userId]);
  return (await tx.one(statements.count, [userId, isAdmin]))?.count ?? 0;
}
