/** Rows of `caches` and `cache_uses` as people see and remove them. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { ListedCacheRows } from "./listed-cache.rows.ts";

const saved = "c.saved_at is not null and c.removed_at is null";
const record = `c.id, c.key, c.scope, c.paths, c.size_bytes, c.created_at, c.saved_at, c.last_used_at, n.owner, n.name as repository`;
const user = `u.pipeline_id, p.number as pipeline_number, u.job_id, j.key as job, j.matrix, u.used_at`;
const users = "cache_uses u join pipelines p on p.id = u.pipeline_id join jobs j on j.id = u.job_id";
const sweptAtOnce = 200;

interface Known {
  /** It is saved. */
  list: { saved_at: Date };
  /** It says which of both it is. */
  listUsers: {
    cache_id: string;
    saved: boolean;
    pipeline_id: string;
    pipeline_number: number;
    job_id: string;
    job: string;
    used_at: Date;
  };
}

export const statements = defineStatements<ListedCacheRows, Known>({
  list: `
    select ${record} from caches c join repository_names n on n.repository_id = c.repository_id
    where c.repository_id = $1 and starts_with(c.key, $2) and ${saved}
    order by c.last_used_at desc, c.id limit $3 offset $4`,
  count: `
    select count(*)::int as total from caches c
    where c.repository_id = $1 and starts_with(c.key, $2) and ${saved}`,
  listUsers: `
    select u.saved_id as cache_id, true as saved, ${user} from ${users} where u.saved_id = any($1::text[])
    union all
    select w.id, false, l.* from unnest($1::text[]) as w (id) cross join lateral (
      select ${user} from ${users} where u.restored_id = w.id order by u.used_at desc limit 5) l
    order by used_at desc`,
  findRun: "select id from pipelines where repository_id = $1 and (id = $2 or number::text = $2)",
  listOfRun: `
    select u.key, u.restored_id, u.restored_key, u.restored_bytes, u.saved_id, u.saved_bytes, u.used_at,
      u.job_id, j.key as job, j.matrix
    from cache_uses u join jobs j on j.id = u.job_id join job_attempts a on a.id = u.attempt_id
    where u.pipeline_id = $1 and not exists (
      select from cache_uses o join job_attempts b on b.id = o.attempt_id where o.job_id = u.job_id and b.attempt > a.attempt)
    order by j.position, j.combination, u.position limit $2 offset $3`,
  countOfRun: `
    select count(*)::int as total from cache_uses u join job_attempts a on a.id = u.attempt_id
    where u.pipeline_id = $1 and not exists (
      select from cache_uses o join job_attempts b on b.id = o.attempt_id where o.job_id = u.job_id and b.attempt > a.attempt)`,
  remove: `
    update caches c set removed_at = now() where c.repository_id = $1 and c.id = $2 and ${saved}
    returning c.key, c.scope, c.size_bytes`,
  removeByPrefix: `
    with gone as (
      update caches c set removed_at = now() where c.repository_id = $1 and starts_with(c.key, $2) and ${saved}
      returning c.size_bytes)
    select count(*)::int as entries, coalesce(sum(size_bytes), 0)::bigint as bytes from gone`,
  removeUnused: `
    update caches set removed_at = now() where id in (
      select c.id from caches c join retention_days d on d.repository_id = c.repository_id
      where ${saved} and c.last_used_at < now() - least($1, d.caches_days) * interval '1 day'
      order by c.last_used_at limit ${sweptAtOnce})
    returning id`,
  listRemovable: `
    select c.id, c.repository_id from caches c left join job_attempts a on a.id = c.attempt_id
    where (c.saved_at is null or c.removed_at is not null)
      and greatest(c.touched_at, c.removed_at) < now() - interval '1 hour'
      and (c.removed_at is not null or a.id is null or a.state = 'ended' or a.epoch <> c.epoch)
    order by c.touched_at limit ${sweptAtOnce}`,
  forget: "delete from caches where id = any($1::text[])",
});

export type CacheRow = RowOf<typeof statements.list>;
export type UserRow = RowOf<typeof statements.listUsers>;
export type UseRow = RowOf<typeof statements.listOfRun>;

export interface CachePage {
  page: number;
  per_page: number;
}

/** Those whose key begins with `prefix`, the last used first. */
export async function list(
  db: Queryable,
  { repositoryId, prefix }: { repositoryId: string; prefix: string },
  { page, per_page: size }: CachePage,
) {
  const [rows, count] = await Promise.all([
    db.query(statements.list, [repositoryId, prefix, size, (page - 1) * size]),
    db.one(statements.count, [repositoryId, prefix]),
  ]);
  return { rows, total: count?.total ?? 0 };
}

/** Of each the job that saved it, and the last ones that restored it; newest first. */
export function listUsers(db: Queryable, ids: readonly string[]) {
  return db.query(statements.listUsers, [ids]);
}

export async function findRun(
  db: Queryable,
  repositoryId: string,
  idOrNumber: string,
): Promise<string | undefined> {
  return (await db.one(statements.findRun, [repositoryId, idOrNumber]))?.id;
}

/** Of the last attempt of each job that did anything with caches. */
export async function listOfRun(db: Queryable, pipelineId: string, { page, per_page: size }: CachePage) {
  const [rows, count] = await Promise.all([
    db.query(statements.listOfRun, [pipelineId, size, (page - 1) * size]),
    db.one(statements.countOfRun, [pipelineId]),
  ]);
  return { rows, total: count?.total ?? 0 };
}

/** Undefined where it is gone already. */
export function remove(tx: Transaction, repositoryId: string, id: string) {
  return tx.one(statements.remove, [repositoryId, id]);
}

export async function removeByPrefix(
  tx: Transaction,
  repositoryId: string,
  prefix: string,
): Promise<{ entries: number; bytes: number }> {
  return (await tx.one(statements.removeByPrefix, [repositoryId, prefix])) ?? { entries: 0, bytes: 0 };
}

/** Some of those that were not used for so many days, or as many as their repository says; how many. */
export async function removeUnused(db: Queryable, days: number): Promise<number> {
  return (await db.query(statements.removeUnused, [days])).length;
}

/** Removed ones, and uploads of attempts that are over, once no address for them is valid any more. */
export function listRemovable(db: Queryable) {
  return db.query(statements.listRemovable);
}

export async function forget(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query(statements.forget, [ids]);
}
