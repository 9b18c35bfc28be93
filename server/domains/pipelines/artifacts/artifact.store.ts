/** Rows of `artifacts`: those that people and jobs may see are published and not removed. */
import type { PlanArtifact } from "@forgeline/schemas/pipeline-file/plan-artifact.ts";
import type { PlanNeed } from "@forgeline/schemas/pipeline-file/plan.ts";
import { reportsName } from "@forgeline/schemas/reports/manifest.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { ArtifactRows } from "./artifact.rows.ts";

const visible = "x.published_at is not null and x.removed_at is null";
const record = `x.id, x.repository_id, x.name, x.size_bytes, x.files, x.parts, x.sha256, x.created_at, x.published_at, x.expires_at,
  x.job_id, j.key as job, j.name as job_name, j.matrix, x.pipeline_id, p.number as pipeline_number, n.owner, n.name as repository`;
const joins = `artifacts x join jobs j on j.id = x.job_id join pipelines p on p.id = x.pipeline_id
  join repository_names n on n.repository_id = x.repository_id`;
const sweptAtOnce = 200;

interface Known {
  /** Parts of the plan of a job. */
  findAttempt: { artifacts: PlanArtifact[]; needs: PlanNeed[] };
  /** Of what is published it is there. */
  listOfRun: { sha256: string; expires_at: Date };
  findVisible: { sha256: string; expires_at: Date };
}

export const statements = defineStatements<ArtifactRows, Known>({
  findAttempt: `
    select a.id, a.epoch, a.job_id, a.pipeline_id, a.repository_id,
      coalesce(a.job -> 'artifacts', '[]') as artifacts, coalesce(nullif(a.job -> 'needs', 'null'), '[]') as needs
    from job_attempts a where a.id = $1 and a.state = 'leased'`,
  lockUse: "select pg_advisory_xact_lock(hashtextextended('artifacts ' || $1, 0))",
  sumUse: `
    select coalesce(sum(size_bytes) filter (where attempt_id = $2 and epoch = $3), 0)::bigint as job,
      coalesce(sum(size_bytes), 0)::bigint as repository
    from artifacts where repository_id = $1 and removed_at is null and not (attempt_id = $2 and epoch = $3 and name = $4)`,
  putUpload: `
    insert into artifacts (id, repository_id, pipeline_id, job_id, attempt_id, epoch, name, size_bytes, files, expire_ms, parts)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
    on conflict (attempt_id, epoch, name) do update set touched_at = now(),
      size_bytes = case when artifacts.sha256 is null then excluded.size_bytes else artifacts.size_bytes end,
      files = case when artifacts.sha256 is null then excluded.files else artifacts.files end,
      parts = case when artifacts.sha256 is null and cardinality(artifacts.parts) <> cardinality(excluded.parts)
        then excluded.parts else artifacts.parts end
    returning id, sha256 is not null as complete`,
  lockUpload: `
    select x.id, x.repository_id, x.size_bytes, x.files, x.parts, x.announced_bytes, x.sha256 from artifacts x
    join job_attempts a on a.id = x.attempt_id and a.epoch = x.epoch and a.state = 'leased'
    where x.id = $1 and x.attempt_id = $2 and x.removed_at is null for update of x`,
  keepParts: "update artifacts set parts = $2, announced_bytes = $3, touched_at = now() where id = $1",
  complete: `
    update artifacts set sha256 = $3 where id = $1 and parts = $2 and sha256 is null
    returning id`,
  publish: `
    with published as (
      update artifacts set published_at = now(), expires_at = now() + expire_ms * interval '1 millisecond'
      where attempt_id = $1 and epoch = $2 and id = any($3::text[]) and sha256 is not null and published_at is null
        and name <> '${reportsName}'
      returning id, job_id, name
    )
    update artifacts x set removed_at = now() from published p
    where x.job_id = p.job_id and x.name = p.name and x.id <> p.id and x.published_at is not null and x.removed_at is null`,
  findRun: "select id from pipelines where repository_id = $1 and (id = $2 or number::text = $2)",
  listOfRun: `
    select ${record} from ${joins} where x.pipeline_id = $1 and ${visible}
    order by j.position, j.combination, x.name limit $2 offset $3`,
  countOfRun: "select count(*)::int as total from artifacts x where x.pipeline_id = $1 and " + visible,
  findVisible: `select ${record} from ${joins} where x.pipeline_id = $1 and x.id = $2 and ${visible}`,
  remove: `update artifacts x set removed_at = now() where x.id = $1 and ${visible} returning id`,
  listNeeded: `
    select n.key, n.name as "jobName", n.matrix, n.status, x.id, x.name, x.size_bytes, x.files, x.parts
    from jobs n left join artifacts x on x.job_id = n.id and ${visible}
    where n.pipeline_id = $1 and n.key = any($2::text[]) order by n.position, n.combination, x.name`,
  findForJob: `
    select x.id, x.repository_id, x.size_bytes, x.parts from artifacts x
    join job_attempts a on a.id = $1 and a.state = 'leased' and a.pipeline_id = x.pipeline_id
    where x.id = $2 and ${visible}`,
  listExpired: `
    select x.id, x.repository_id, p.event ->> 'branch' as branch, not exists (
      select from artifacts y join jobs k on k.id = y.job_id join pipelines q on q.id = y.pipeline_id
      where y.repository_id = x.repository_id and y.name = x.name and y.removed_at is null and y.published_at > x.published_at
        and k.key = j.key and k.matrix::text is not distinct from j.matrix::text and q.file = p.file and q.ref = p.ref
    ) as newest
    from artifacts x join jobs j on j.id = x.job_id join pipelines p on p.id = x.pipeline_id
    where ${visible} and x.expires_at < now() order by x.expires_at limit ${sweptAtOnce}`,
  shorten: `
    update artifacts set expires_at = s.until from (
      select x.id, l.until from artifacts x join retention_days d on d.repository_id = x.repository_id
      cross join lateral (
        select x.published_at + least($1::int, d.artifacts_days, d.runs_days) * interval '1 day' as until) l
      where ${visible} and l.until is not null and x.expires_at > greatest(l.until, now() + interval '1 day')
      limit ${sweptAtOnce}
    ) s where s.id = artifacts.id returning artifacts.id`,
  postpone: "update artifacts set expires_at = now() + interval '1 day' where id = any($1::text[])",
  removeAll:
    "update artifacts set removed_at = now() where id = any($1::text[]) and removed_at is null returning id",
  listRemovable: `
    select x.id, x.repository_id from artifacts x join job_attempts a on a.id = x.attempt_id
    where (x.published_at is null or x.removed_at is not null)
      and greatest(x.touched_at, x.removed_at) < now() - interval '1 hour'
      and (x.removed_at is not null or a.state = 'ended' or a.epoch <> x.epoch)
      and not exists (select from job_reports r where r.artifact_id = x.id and r.read_at is null)
    order by x.touched_at limit ${sweptAtOnce}`,
  forget: "delete from artifacts where id = any($1::text[])",
  sumBytes: `
    select coalesce(sum(size_bytes), 0)::bigint as bytes from artifacts where repository_id = $1 and removed_at is null`,
});

export type ArtifactRow = RowOf<typeof statements.findVisible>;
export type UploadRow = ArtifactRows["lockUpload"];

/** The attempt that a runner has now, with what its job says of artifacts. */
export function findAttempt(db: Queryable, attemptId: string) {
  return db.one(statements.findAttempt, [attemptId]);
}

/** Uploads of one repository begin one after the other, so that what they take is counted exactly. */
export async function lockUse(tx: Transaction, repositoryId: string): Promise<void> {
  await tx.query(statements.lockUse, [repositoryId]);
}

/** What is taken without the artifact of this name: by the attempt, and by the whole repository. */
export async function sumUse(
  tx: Transaction,
  {
    repositoryId,
    attemptId,
    epoch,
    name,
  }: { repositoryId: string; attemptId: string; epoch: number; name: string },
): Promise<{ job: number; repository: number }> {
  const row = await tx.one(statements.sumUse, [repositoryId, attemptId, epoch, name]);
  return { job: row?.job ?? 0, repository: row?.repository ?? 0 };
}

export interface NewUpload {
  id: string;
  repositoryId: string;
  pipelineId: string;
  jobId: string;
  attemptId: string;
  epoch: number;
  name: string;
  sizeBytes: number;
  files: number;
  expireMs: number;
  parts: number;
}

/** The one of the attempt with this name; what is complete stays as it is. */
export function putUpload(tx: Transaction, upload: NewUpload) {
  const { id, repositoryId, pipelineId, jobId, attemptId, epoch, name, sizeBytes, files, expireMs, parts } =
    upload;
  const empty = Array.from({ length: parts }, () => "");
  const place = [id, repositoryId, pipelineId, jobId, attemptId, epoch];
  return tx.one(statements.putUpload, [...place, name, sizeBytes, files, expireMs, empty]);
}

/** Undefined unless it is one of this attempt, and the attempt still has its lease. */
export function lockUpload(
  tx: Transaction,
  upload: { id: string; attemptId: string },
): Promise<UploadRow | undefined> {
  return tx.one(statements.lockUpload, [upload.id, upload.attemptId]);
}

export async function keepParts(
  tx: Transaction,
  { id, parts, announcedBytes }: { id: string; parts: readonly string[]; announcedBytes: number },
): Promise<void> {
  await tx.query(statements.keepParts, [id, parts, announcedBytes]);
}

/** False where its parts have changed meanwhile, or it is complete. */
export async function complete(
  db: Queryable,
  { id, parts, sha256 }: { id: string; parts: readonly string[]; sha256: string },
): Promise<boolean> {
  return (await db.one(statements.complete, [id, parts, sha256])) !== undefined;
}

/** Shows what the attempt has completed, in place of what earlier attempts of the job left under the same names. */
export async function publish(
  tx: Transaction,
  { attemptId, epoch, ids }: { attemptId: string; epoch: number; ids: readonly string[] },
): Promise<void> {
  await tx.query(statements.publish, [attemptId, epoch, ids]);
}

export async function findRun(
  db: Queryable,
  repositoryId: string,
  idOrNumber: string,
): Promise<string | undefined> {
  return (await db.one(statements.findRun, [repositoryId, idOrNumber]))?.id;
}

export async function listOfRun(
  db: Queryable,
  pipelineId: string,
  { page, per_page: size }: { page: number; per_page: number },
): Promise<{ rows: ArtifactRow[]; total: number }> {
  const [rows, count] = await Promise.all([
    db.query(statements.listOfRun, [pipelineId, size, (page - 1) * size]),
    db.one(statements.countOfRun, [pipelineId]),
  ]);
  return { rows, total: count?.total ?? 0 };
}

export function findVisible(db: Queryable, pipelineId: string, id: string): Promise<ArtifactRow | undefined> {
  return db.one(statements.findVisible, [pipelineId, id]);
}

/** False where it is gone already. */
export async function remove(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.one(statements.remove, [id])) !== undefined;
}

export type NeededRow = ArtifactRows["listNeeded"];

/** Of each job with one of these keys, each artifact; or one row without an artifact. In the order of their matrix. */
export function listNeeded(db: Queryable, pipelineId: string, keys: readonly string[]): Promise<NeededRow[]> {
  return db.query(statements.listNeeded, [pipelineId, keys]);
}

/** One of the run that the attempt belongs to. */
export function findForJob(db: Queryable, { attemptId, id }: { attemptId: string; id: string }) {
  return db.one(statements.findForJob, [attemptId, id]);
}

/**
 * Some of those that would stay for longer than so many days, or than their repository keeps artifacts or runs; how many. What was
 * postponed is left alone.
 */
export async function shorten(db: Queryable, days: number | null): Promise<number> {
  return (await db.query(statements.shorten, [days])).length;
}

/** `newest`: no later run of its branch has left one of the same name, by the same job. `branch` is null for tags. */
export function listExpired(db: Queryable) {
  return db.query(statements.listExpired);
}

export async function postpone(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query(statements.postpone, [ids]);
}

/** How many of them nobody else has removed meanwhile. */
export async function removeAll(db: Queryable, ids: readonly string[]): Promise<number> {
  return (await db.query(statements.removeAll, [ids])).length;
}

/** Removed ones, and uploads of attempts that are over, once no address for them is valid any more. */
export function listRemovable(db: Queryable) {
  return db.query(statements.listRemovable);
}

export async function forget(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query(statements.forget, [ids]);
}

/** Of a repository. */
export async function sumBytes(db: Queryable, repositoryId: string): Promise<number> {
  return (await db.one(statements.sumBytes, [repositoryId]))?.bytes ?? 0;
}
