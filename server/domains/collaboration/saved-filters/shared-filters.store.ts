/** Rows of `repository_filters`. */
import type { SharedFilterQuery } from "@forgeline/schemas/saved-filters/routes.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { SharedFiltersRows } from "./shared-filters.rows.ts";

const columns = "id, name, kind, query, created_at, updated_at";
const wanted = "from repository_filters where repository_id = $1 and ($2::text is null or kind = $2)";

export const statements = defineStatements<SharedFiltersRows>({
  list: `select ${columns} ${wanted} order by lower(name), id limit $3 offset $4`,
  find: `select ${columns} from repository_filters where repository_id = $1 and id = $2`,
  holdRepository: "select id from repositories where id = $1 and deleted_at is null for no key update",
  count: "select count(*)::int as count from repository_filters where repository_id = $1",
  findRival: `
    select id from repository_filters where repository_id = $1 and kind = $2 and lower(name) = lower($3) and id <> $4`,
  insert: `
    insert into repository_filters (id, repository_id, kind, name, query) values ($1, $2, $3, $4, $5)
    returning ${columns}`,
  update: `
    update repository_filters set name = $3, query = $4, updated_at = now() where repository_id = $1 and id = $2
    returning ${columns}`,
  remove: "delete from repository_filters where repository_id = $1 and id = $2 returning id, name, query",
});

export type SharedFilterRow = SharedFiltersRows["find"];

export async function listSharedFilters(
  db: Queryable,
  repositoryId: string,
  { kind, ...page }: SharedFilterQuery,
): Promise<{ rows: SharedFilterRow[]; total: number }> {
  const asked = [repositoryId, kind ?? null];
  const [rows, total] = await Promise.all([
    db.query(statements.list, [...asked, page.per_page, offsetOf(page)]),
    countRows(db, wanted, asked),
  ]);
  return { rows, total };
}
