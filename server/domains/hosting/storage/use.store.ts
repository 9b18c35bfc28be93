/** Sums over what was measured. */
import type { RepositoryStorageQuery } from "@forgeline/schemas/storage/routes.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";

export interface RepositorySums {
  deleted: boolean;
  count: number;
  git_bytes: number;
  log_bytes: number;
  lfs_bytes: number;
  unmeasured: number;
  measured_since: Date | null;
}

/** Of everybody, or of one owner. */
export function sumRepositories(db: Queryable, ownerId: string | null = null): Promise<RepositorySums[]> {
  return db.query<RepositorySums>(
    `select r.deleted_at is not null as deleted, count(*) as count, coalesce(sum(m.git_bytes), 0)::bigint as git_bytes,
       coalesce(sum(m.log_bytes), 0)::bigint as log_bytes, coalesce(sum(m.lfs_bytes), 0)::bigint as lfs_bytes, count(*) - count(m.measured_at) as unmeasured,
       min(m.measured_at) as measured_since
     from repositories r left join repository_measurements m on m.repository_id = r.id
     where $1::text is null or r.owner_id = $1 group by 1`,
    [ownerId],
  );
}

export async function readDatabaseUse(db: Queryable): Promise<{ bytes: number; audit_bytes: number }> {
  const row = await db.one<{ bytes: number; audit_bytes: number }>(
    `select pg_database_size(current_database()) as bytes,
       (select coalesce(sum(pg_total_relation_size(relid)), 0)::bigint from pg_partition_tree('audit_log')) as audit_bytes`,
  );
  return row ?? { bytes: 0, audit_bytes: 0 };
}

export interface OwnerUseRow {
  owner: string;
  owner_kind: "user" | "org";
  repositories: number;
  git_bytes: number;
  log_bytes: number;
  lfs_bytes: number;
}

export async function listOwners(
  db: Queryable,
  page: PageQuery,
): Promise<{ rows: OwnerUseRow[]; total: number }> {
  const rows = await db.query<OwnerUseRow>(
    `select o.name as owner, o.kind as owner_kind, s.repositories, s.git_bytes, s.log_bytes, s.lfs_bytes
     from (select r.owner_id, count(*) as repositories, coalesce(sum(m.git_bytes), 0)::bigint as git_bytes,
         coalesce(sum(m.log_bytes), 0)::bigint as log_bytes, coalesce(sum(m.lfs_bytes), 0)::bigint as lfs_bytes
       from repositories r left join repository_measurements m on m.repository_id = r.id group by r.owner_id) as s
     join owners o on o.id = s.owner_id
     order by s.git_bytes + s.log_bytes + s.lfs_bytes desc, lower(o.name) limit $1 offset $2`,
    [page.per_page, offsetOf(page)],
  );
  const owning = "from owners o where exists (select 1 from repositories r where r.owner_id = o.id)";
  return { rows, total: await countRows(db, owning, []) };
}

export interface RepositoryUseRow {
  repository_id: string;
  full_name: string;
  deleted: boolean;
  git_bytes: number;
  log_bytes: number;
  lfs_bytes: number;
  total_bytes: number;
  measured_at: Date | null;
}

const select = `select m.repository_id, o.name || '/' || r.name as full_name, r.deleted_at is not null as deleted,
  m.git_bytes, m.log_bytes, m.lfs_bytes, m.total_bytes, m.measured_at`;
const measured = `from repository_measurements m join repositories r on r.id = m.repository_id
  join owners o on o.id = r.owner_id`;

export interface RepositoryUses {
  rows: RepositoryUseRow[];
  total: number;
}

export function listRepositories(db: Queryable, query: RepositoryStorageQuery): Promise<RepositoryUses> {
  const where = "$1::text is null or lower(o.name) = lower($1)";
  return listWhere(db, { where, value: query.owner ?? null, page: query });
}

export function listOwnedRepositories(
  db: Queryable,
  ownerId: string,
  page: PageQuery,
): Promise<RepositoryUses> {
  return listWhere(db, { where: "r.owner_id = $1", value: ownerId, page });
}

/** Undefined when the repository is not marked to be measured yet. */
export function readRepository(db: Queryable, repositoryId: string): Promise<RepositoryUseRow | undefined> {
  return db.one<RepositoryUseRow>(`${select} ${measured} where r.id = $1`, [repositoryId]);
}

async function listWhere(
  db: Queryable,
  { where, value, page }: { where: string; value: string | null; page: PageQuery },
): Promise<RepositoryUses> {
  const rows = await db.query<RepositoryUseRow>(
    `${select} ${measured} where ${where} order by m.total_bytes desc, m.repository_id limit $2 offset $3`,
    [value, page.per_page, offsetOf(page)],
  );
  return { rows, total: await countRows(db, `${measured} where ${where}`, [value]) };
}
