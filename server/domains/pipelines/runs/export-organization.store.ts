/**
 * The order in which runs of an organization are exported. What the caller may not read is marked, not left out: so each question ends
 * after so many rows, however few of them are for the caller.
 */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { levelSql } from "../../policy/domain.ts";
import type { ExportOrganizationRows } from "./export-organization.rows.ts";

const level = levelSql({ repository: "r", user: "$2::text", admin: "$3::boolean" });

export const statements = defineStatements<ExportOrganizationRows>({
  findRange: `
    with readable as (
      select r.id, n.full_name from repositories r join repository_names n on n.repository_id = r.id
      where r.owner_id = $1 and ${level} is not null)
    select (select md5(string_agg(full_name, ' ' order by id)) from readable) as names, count(*)::int as runs,
      min(f.ended_at) as oldest, max(f.ended_at)::text as newest
    from run_figures f where f.repository_id in (select id from readable)
      and ($4::timestamptz is null or f.ended_at >= $4) and ($5::timestamptz is null or f.ended_at < $5)`,
  listEnded: `
    with ended as (
      select f.pipeline_id as id, f.repository_id, f.ended_at from run_figures f
      where f.repository_id in (select id from repositories where owner_id = $1 and deleted_at is null)
        and f.ended_at >= $4 and f.ended_at < $5
        and ($6::timestamptz is null or (f.ended_at, f.pipeline_id) > ($6, $7))
      order by f.ended_at, f.pipeline_id limit $8),
    readable as (
      select r.id, n.full_name from repositories r join repository_names n on n.repository_id = r.id
      where r.id in (select repository_id from ended) and ${level} is not null)
    select e.id, e.ended_at::text as ended_at, r.full_name as repository
    from ended e left join readable r on r.id = e.repository_id order by e.ended_at, e.id`,
});

/** `ended_at` to the microsecond, as text; `repository` is null for those that the caller may not read. */
export type EndedRow = RowOf<typeof statements.listEnded>;
export type Range = RowOf<typeof statements.findRange>;

export interface Reader {
  organizationId: string;
  userId: string | null;
  isAdmin: boolean;
}

const asked = ({ organizationId, userId, isAdmin }: Reader) => [organizationId, userId, isAdmin];

/** What there is for the caller. Changes with each run that ends, and with the repositories. */
export function findRange(
  db: Queryable,
  reader: Reader,
  { since, until }: { since: string | null; until: string | null },
): Promise<Range | undefined> {
  return db.one(statements.findRange, [...asked(reader), since, until]);
}

/** Of the time from `from` to before `to`, the next ones after this one. */
export function listEnded(
  db: Queryable,
  reader: Reader,
  { from, to, after, limit }: { from: Date; to: Date; after: EndedRow | undefined; limit: number },
): Promise<EndedRow[]> {
  const place = [after?.ended_at ?? null, after?.id ?? null];
  return db.query(statements.listEnded, [...asked(reader), from, to, ...place, limit]);
}
