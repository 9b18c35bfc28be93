/** The order in which runs are exported. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { ExportRows } from "./export.rows.ts";

export const statements = defineStatements<ExportRows>({
  findVersion: `
    select count(*)::int as runs, max(f.ended_at)::text as newest from run_figures f
    where f.repository_id = $1 and ($2::timestamptz is null or f.ended_at >= $2) and ($3::timestamptz is null or f.ended_at < $3)`,
  listEnded: `
    select f.pipeline_id as id, f.ended_at::text as ended_at from run_figures f
    where f.repository_id = $1 and ($2::timestamptz is null or f.ended_at >= $2) and ($3::timestamptz is null or f.ended_at < $3)
      and ($4::timestamptz is null or (f.ended_at, f.pipeline_id) > ($4, $5))
    order by f.ended_at, f.pipeline_id limit $6`,
});

/** `ended_at` to the microsecond, as text. */
export type EndedRow = RowOf<typeof statements.listEnded>;

export interface EndedBetween {
  repositoryId: string;
  since: string | null;
  until: string | null;
}

/** Changes with each run that ends, also once more. */
export async function findVersion(
  db: Queryable,
  { repositoryId, since, until }: EndedBetween,
): Promise<string> {
  const row = await db.one(statements.findVersion, [repositoryId, since, until]);
  return `${row?.runs ?? 0} ${row?.newest ?? ""}`;
}

/** The next ones after this one. */
export function listEnded(
  db: Queryable,
  { repositoryId, since, until }: EndedBetween,
  { after, limit }: { after: EndedRow | undefined; limit: number },
): Promise<EndedRow[]> {
  return db.query(statements.listEnded, [
    repositoryId,
    since,
    until,
    after?.ended_at ?? null,
    after?.id ?? null,
    limit,
  ]);
}
