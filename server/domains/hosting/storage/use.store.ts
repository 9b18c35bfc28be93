/** Sums of measurements. */
import type { RepositoryStorageQuery } from "@forgeline/schemas/storage/routes.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { UseRows } from "./use.rows.ts";
import { offsetOf } from "../../../platform/db/page.ts";

const select = `select m.repository_id, n.full_name, n.deleted_at is not null as deleted,
  m.git_bytes, m.log_bytes, m.lfs_bytes, m.attachment_bytes, m.total_bytes, m.measured_at`;
const measured = `from repository_measurements m join repository_names n on n.repository_id = m.repository_id`;

const ofNamed = `${measured} where $1::text is null or lower(n.owner) = lower($1)`;
const ofOwner = `${measured} where n.owner_id = $1`;
const largestFirst = "order by m.total_bytes desc, m.repository_id limit $2 offset $3";

interface Known {
  /** The current database has a size. */
  readDatabaseUse: { bytes: number };
  /** A generated column of sums that are not null. */
  listRepositories: { total_bytes: number };
  listOwnedRepositories: { total_bytes: number };
  readRepository: { total_bytes: number };
  /** A sum of sums that are not null. */
  listOwners: { attachment_bytes: number };
}

export const statements = defineStatements<UseRows, Known>({
  sumRepositories: `
    select r.deleted_at is not null as deleted, count(*) as count, coalesce(sum(m.git_bytes), 0)::bigint as git_bytes,
      coalesce(sum(m.log_bytes), 0)::bigint as log_bytes, coalesce(sum(m.lfs_bytes), 0)::bigint as lfs_bytes,
      coalesce(sum(m.attachment_bytes), 0)::bigint as attachment_bytes, count(*) - count(m.measured_at) as unmeasured,
      min(m.measured_at) as measured_since
    from repositories r left join repository_measurements m on m.repository_id = r.id
    where $1::text is null or r.owner_id = $1 group by 1`,
  sumTeamAttachments: `
    select coalesce(sum(a.size_bytes), 0)::bigint as bytes from attachments a join teams t on t.id = a.team_id
    where a.stored_at is not null and ($1::text is null or t.organization_id = $1)`,
  readDatabaseUse: `
    select pg_database_size(current_database()) as bytes,
    (select coalesce(sum(pg_total_relation_size(relid)), 0)::bigint from pg_partition_tree('audit_log')) as audit_bytes`,
  listOwners: `
    select o.name as owner, o.kind as owner_kind, s.repositories, s.git_bytes, s.log_bytes, s.lfs_bytes,
      s.attachment_bytes + coalesce(d.bytes, 0) as attachment_bytes
    from (select r.owner_id, count(*) as repositories, coalesce(sum(m.git_bytes), 0)::bigint as git_bytes,
        coalesce(sum(m.log_bytes), 0)::bigint as log_bytes, coalesce(sum(m.lfs_bytes), 0)::bigint as lfs_bytes,
        coalesce(sum(m.attachment_bytes), 0)::bigint as attachment_bytes
      from repositories r left join repository_measurements m on m.repository_id = r.id group by r.owner_id) as s
    join owners o on o.id = s.owner_id
    left join (select t.organization_id, sum(a.size_bytes)::bigint as bytes from attachments a join teams t on t.id = a.team_id
      where a.stored_at is not null group by 1) as d on d.organization_id = s.owner_id
    order by s.git_bytes + s.log_bytes + s.lfs_bytes + s.attachment_bytes + coalesce(d.bytes, 0) desc, lower(o.name) limit $1 offset $2`,
  listRepositories: `${select} ${ofNamed} ${largestFirst}`,
  listOwnedRepositories: `${select} ${ofOwner} ${largestFirst}`,
  readRepository: `${select} ${measured} where n.repository_id = $1`,
});

export type RepositoryUseRow = RowOf<typeof statements.readRepository>;

export type RepositorySums = UseRows["sumRepositories"];

/** Of everybody, or of one owner. */
export function sumRepositories(db: Queryable, ownerId: string | null = null): Promise<RepositorySums[]> {
  return db.query(statements.sumRepositories, [ownerId]);
}

/** On the boards of teams: of everybody, or of one organization. */
export async function sumTeamAttachments(db: Queryable, ownerId: string | null = null): Promise<number> {
  return (await db.one(statements.sumTeamAttachments, [ownerId]))?.bytes ?? 0;
}

export async function readDatabaseUse(db: Queryable): Promise<{ bytes: number; audit_bytes: number }> {
  const row = await db.one(statements.readDatabaseUse);
  return row ?? { bytes: 0, audit_bytes: 0 };
}

export type OwnerUseRow = UseRows["listOwners"];

export async function listOwners(
  db: Queryable,
  page: PageQuery,
): Promise<{ rows: OwnerUseRow[]; total: number }> {
  const rows = await db.query(statements.listOwners, [page.per_page, offsetOf(page)]);
  const owning = "from owners o where exists (select 1 from repositories r where r.owner_id = o.id)";
  return { rows, total: await countRows(db, owning, []) };
}

export interface RepositoryUses {
  rows: RepositoryUseRow[];
  total: number;
}

export async function listRepositories(
  db: Queryable,
  query: RepositoryStorageQuery,
): Promise<RepositoryUses> {
  const value = query.owner ?? null;
  const rows = await db.query(statements.listRepositories, [value, query.per_page, offsetOf(query)]);
  return { rows, total: await countRows(db, ofNamed, [value]) };
}

export async function listOwnedRepositories(
  db: Queryable,
  ownerId: string,
  page: PageQuery,
): Promise<RepositoryUses> {
  const rows = await db.query(statements.listOwnedRepositories, [ownerId, page.per_page, offsetOf(page)]);
  return { rows, total: await countRows(db, ofOwner, [ownerId]) };
}

/** Undefined if the repository is not marked for measurement yet. */
export function readRepository(db: Queryable, repositoryId: string): Promise<RepositoryUseRow | undefined> {
  return db.one(statements.readRepository, [repositoryId]);
}
