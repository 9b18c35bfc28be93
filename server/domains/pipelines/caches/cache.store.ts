/** Rows of `caches` as runners find and make them. An entry is seen once it is saved; from then on it never changes. */
import type { PlanCache } from "@forgeline/schemas/pipeline-file/plan-cache.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { SourceTrust } from "../runs/source-trust.ts";
import type { CacheRows } from "./cache.rows.ts";

const saved = "c.saved_at is not null and c.removed_at is null";
const found = "c.id, c.repository_id, c.key, c.size_bytes, c.parts, c.part_bytes";

/** For how long an entry may be sent after it was handed over. */
export const handedOverMs = 15 * 60_000;
/** Of what was handed over: in the epoch that saved it, the job goes on or has ended well. */
const stillSent = `a.id = c.attempt_id and a.epoch = c.epoch
  and (a.state = 'leased' or (a.state = 'ended' and a.status = 'success'))
  and c.handed_over_at > now() - interval '${handedOverMs} milliseconds'`;

interface Known {
  /** Handed over. */
  findSaving: { since: Date };
  /** Part of the plan of a job. */
  findAttempt: { cache: PlanCache[]; trust: SourceTrust };
}

export const statements = defineStatements<CacheRows, Known>({
  findAttempt: `
    select a.epoch, a.job_id, a.pipeline_id, a.repository_id, p.trust, p.ref, n.default_branch,
      coalesce(a.job -> 'cache', '[]') as cache
    from job_attempts a join pipelines p on p.id = a.pipeline_id join repositories n on n.id = a.repository_id
    where a.id = $1 and a.state = 'leased'`,
  findExact: `
    select ${found} from caches c
    where c.repository_id = $1 and c.paths_hash = $2 and c.scope = any($3::text[]) and c.key = $4 and ${saved}
    order by array_position($3::text[], c.scope) limit 1`,
  findNewest: `
    select ${found} from caches c
    where c.repository_id = $1 and c.paths_hash = $2 and c.scope = any($3::text[]) and starts_with(c.key, $4) and ${saved}
    order by array_position($3::text[], c.scope), c.saved_at desc limit 1`,
  use: "update caches set last_used_at = now() where id = $1",
  recordLookup: `
    insert into cache_uses (attempt_id, position, repository_id, pipeline_id, job_id, key, restored_id, restored_key, restored_bytes)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    on conflict (attempt_id, position) do update set key = excluded.key, restored_id = excluded.restored_id,
      restored_key = excluded.restored_key, restored_bytes = excluded.restored_bytes, used_at = now()`,
  recordSaved: `
    insert into cache_uses (attempt_id, position, repository_id, pipeline_id, job_id, key, saved_id, saved_bytes)
    values ($1, $2, $3, $4, $5, $6, $7, $8)
    on conflict (attempt_id, position) do update set key = excluded.key, saved_id = excluded.saved_id,
      saved_bytes = excluded.saved_bytes, used_at = now()`,
  putUpload: `
    insert into caches (id, repository_id, scope, key, paths_hash, paths, attempt_id, epoch, position)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    on conflict (attempt_id, epoch, position) do update set touched_at = now(),
      scope = excluded.scope, key = excluded.key, paths_hash = excluded.paths_hash, paths = excluded.paths
    where caches.saved_at is null
    returning id`,
  findSaving: `
    select ${found}, j.key as job, c.handed_over_at as since
    from caches c join job_attempts a on ${stillSent} join jobs j on j.id = a.job_id
    where c.repository_id = $1 and c.paths_hash = $2 and c.scope = any($3::text[]) and c.key = $4
      and c.saved_at is null and c.removed_at is null and c.handed_over_at is not null
      and c.touched_at > now() - interval '1 minute'
    order by array_position($3::text[], c.scope), c.handed_over_at limit 1`,
  handOver: `
    update caches c set handed_over_at = now(), touched_at = now(), upload_token_hash = $3
    from job_attempts a
    where c.id = $1 and c.attempt_id = $2 and a.id = c.attempt_id and a.epoch = c.epoch and a.state = 'leased'
      and c.saved_at is null and c.removed_at is null
    returning c.id`,
  lockUpload: `
    select c.id, c.repository_id, c.parts, c.part_bytes, c.size_bytes, c.scope, c.key, c.paths_hash, c.position,
      c.saved_at is not null as saved, a.id as attempt_id, a.job_id, a.pipeline_id
    from caches c join job_attempts a on a.id = c.attempt_id and a.epoch = c.epoch
      and ((c.attempt_id = $2 and a.state = 'leased') or (c.upload_token_hash = $3 and ${stillSent}))
    where c.id = $1 and c.removed_at is null for update of c`,
  keepParts: `
    update caches set parts = $2, part_bytes = $3, size_bytes = $4, touched_at = now() where id = $1`,
  save: `
    update caches set parts = $2, part_bytes = $3, size_bytes = $4, saved_at = now(), last_used_at = now()
    where id = $1`,
  isSaved: `
    select c.id from caches c
    where c.repository_id = $1 and c.scope = $2 and c.paths_hash = $3 and c.key = $4 and ${saved}`,
  removeUpload: "update caches set removed_at = now() where id = $1 and saved_at is null",
  findForJob: `
    select ${found} from caches c join job_attempts a on a.id = $1 and a.state = 'leased'
    join cache_uses u on u.attempt_id = a.id and u.restored_id = c.id
    where c.id = $2 and ${saved}`,
  lockRoom: "select pg_advisory_xact_lock(hashtextextended('caches ' || $1, 0))",
  sumRoom: `
    select coalesce(sum(size_bytes) filter (where saved_at is not null), 0)::bigint as saved,
      (count(*) filter (where saved_at is not null))::int as entries,
      coalesce(sum(size_bytes) filter (where saved_at is null), 0)::bigint as uploading
    from caches where repository_id = $1 and removed_at is null`,
  listLeastUsed: `
    select c.id, c.size_bytes from caches c where c.repository_id = $1 and ${saved} order by c.last_used_at, c.id limit $2`,
  evict: "update caches set removed_at = now() where id = any($1::text[]) and removed_at is null",
});

export type FoundRow = CacheRows["findExact"];
export type CacheUploadRow = CacheRows["lockUpload"];
export type CachingAttempt = NonNullable<Awaited<ReturnType<typeof findAttempt>>>;

/** The attempt that a runner has now, with what its job says of caches. */
export function findAttempt(db: Queryable, attemptId: string) {
  return db.one(statements.findAttempt, [attemptId]);
}

export interface Lookup {
  repositoryId: string;
  pathsHash: string;
  /** In the order in which they are looked at. */
  scopes: readonly string[];
}

export function findExact(db: Queryable, { repositoryId, pathsHash, scopes }: Lookup, key: string) {
  return db.one(statements.findExact, [repositoryId, pathsHash, scopes, key]);
}

/** The last one that was saved, in the first scope that has any. */
export function findNewest(db: Queryable, { repositoryId, pathsHash, scopes }: Lookup, prefix: string) {
  return db.one(statements.findNewest, [repositoryId, pathsHash, scopes, prefix]);
}

/** One with this key that its runner still sends, and that it was heard of within a minute. */
export function findSaving(db: Queryable, { repositoryId, pathsHash, scopes }: Lookup, key: string) {
  return db.one(statements.findSaving, [repositoryId, pathsHash, scopes, key]);
}

export interface UsePlace {
  attemptId: string;
  position: number;
  repositoryId: string;
  pipelineId: string;
  jobId: string;
}

function placeValues({ attemptId, position, repositoryId, pipelineId, jobId }: UsePlace) {
  return [attemptId, position, repositoryId, pipelineId, jobId] as const;
}

/** What an attempt asked for, and what it found. */
export async function recordLookup(
  tx: Transaction,
  place: UsePlace,
  { key, entry }: { key: string; entry: FoundRow | undefined },
): Promise<void> {
  const restored = [entry?.id ?? null, entry?.key ?? null, entry?.size_bytes ?? null] as const;
  await tx.query(statements.recordLookup, [...placeValues(place), key, ...restored]);
  if (entry) await tx.query(statements.use, [entry.id]);
}

export async function recordSaved(
  tx: Transaction,
  place: UsePlace,
  { key, id, sizeBytes }: { key: string; id: string; sizeBytes: number },
): Promise<void> {
  await tx.query(statements.recordSaved, [...placeValues(place), key, id, sizeBytes]);
}

export interface NewCacheUpload {
  id: string;
  repositoryId: string;
  scope: string;
  key: string;
  pathsHash: string;
  paths: readonly string[];
  attemptId: string;
  epoch: number;
  position: number;
}

/** Its id, also where the attempt began it before; undefined where it is saved already. */
export async function putUpload(tx: Transaction, upload: NewCacheUpload): Promise<string | undefined> {
  const { id, repositoryId, scope, key, pathsHash, paths, attemptId, epoch, position } = upload;
  const values = [id, repositoryId, scope, key, pathsHash, paths, attemptId, epoch, position];
  return (await tx.one(statements.putUpload, values))?.id;
}

/** Whether it is an upload of this attempt, which still has its lease. */
export async function handOver(
  db: Queryable,
  { id, attemptId }: { id: string; attemptId: string },
  tokenHash: Buffer,
): Promise<boolean> {
  return (await db.one(statements.handOver, [id, attemptId, tokenHash])) !== undefined;
}

export type UploadName = { id: string } & ({ attemptId: string } | { tokenHash: Buffer });

/** Undefined unless it is one of this attempt, which still has its lease, or was handed over with this token a while ago at most. */
export function lockUpload(tx: Transaction, upload: UploadName): Promise<CacheUploadRow | undefined> {
  const attemptId = "attemptId" in upload ? upload.attemptId : null;
  const tokenHash = "tokenHash" in upload ? upload.tokenHash : null;
  return tx.one(statements.lockUpload, [upload.id, attemptId, tokenHash]);
}

export interface CacheParts {
  parts: readonly string[];
  partBytes: readonly number[];
  sizeBytes: number;
}

export async function keepParts(
  tx: Transaction,
  id: string,
  { parts, partBytes, sizeBytes }: CacheParts,
): Promise<void> {
  await tx.query(statements.keepParts, [id, parts, partBytes, sizeBytes]);
}

/** The caller has looked that there is none with this key, and holds the lock of the room. */
export async function save(
  tx: Transaction,
  id: string,
  { parts, partBytes, sizeBytes }: CacheParts,
): Promise<void> {
  await tx.query(statements.save, [id, parts, partBytes, sizeBytes]);
}

/** Whether there is an entry with the key of this upload. */
export async function isSaved(
  tx: Transaction,
  upload: Pick<CacheUploadRow, "repository_id" | "scope" | "paths_hash" | "key">,
): Promise<boolean> {
  const { repository_id: repositoryId, scope, paths_hash: pathsHash, key } = upload;
  return (await tx.one(statements.isSaved, [repositoryId, scope, pathsHash, key])) !== undefined;
}

export async function removeUpload(tx: Transaction, id: string): Promise<void> {
  await tx.query(statements.removeUpload, [id]);
}

/** One that the attempt has found. */
export function findForJob(db: Queryable, { attemptId, id }: { attemptId: string; id: string }) {
  return db.one(statements.findForJob, [attemptId, id]);
}

/** What takes room of a repository is decided one after the other. */
export async function lockRoom(tx: Transaction, repositoryId: string): Promise<void> {
  await tx.query(statements.lockRoom, [repositoryId]);
}

/** Bytes and number of what is saved, and bytes of uploads under way. */
export async function sumRoom(
  tx: Transaction,
  repositoryId: string,
): Promise<{ saved: number; entries: number; uploading: number }> {
  return (await tx.one(statements.sumRoom, [repositoryId])) ?? { saved: 0, entries: 0, uploading: 0 };
}

/** Saved ones that were not used for the longest time. */
export function listLeastUsed(tx: Transaction, repositoryId: string, count: number) {
  return tx.query(statements.listLeastUsed, [repositoryId, count]);
}

export async function evict(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.query(statements.evict, [ids]);
}
