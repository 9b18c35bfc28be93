/** Rows of `repository_measurements` as those who measure change them. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { MeasurementRows } from "./measurement.rows.ts";
import { setSize } from "../repositories/derived.store.ts";

export const statements = defineStatements<MeasurementRows>({
  markDue: `
    insert into repository_measurements as m (repository_id, due_at)
    values ($1, date_trunc('milliseconds', now()) + interval '5 seconds')
    on conflict (repository_id) do update set due_at = excluded.due_at where m.due_at > excluded.due_at`,
  adoptUnmarked: `
    insert into repository_measurements (repository_id, due_at)
    select r.id, now() from repositories r
    where not exists (select 1 from repository_measurements m where m.repository_id = r.id)
    on conflict do nothing`,
  claimDue: `
    update repository_measurements m
    set due_at = date_trunc('milliseconds', clock_timestamp()) + interval '10 minutes'
    from (select repository_id from repository_measurements where due_at <= clock_timestamp()
      order by due_at limit $1 for update skip locked) as due
    where m.repository_id = due.repository_id returning m.repository_id, m.due_at`,
  sumLfsObjects: `
    select coalesce(sum(size_bytes), 0)::bigint as bytes from lfs_objects
    where repository_id = $1 and stored_at is not null`,
  // A copy counts where it is, although its bytes may lie elsewhere.
  sumAttachments: `
    select coalesce(sum(size_bytes), 0)::bigint as bytes from attachments
    where repository_id = $1 and stored_at is not null`,
  keepSizes: `
    update repository_measurements m set git_bytes = $3, log_bytes = $4, lfs_bytes = $5, attachment_bytes = $6, measured_at = now(),
      changed_at = case when changed.yes then now() else m.changed_at end,
      due_at = case when m.due_at <> $2 then m.due_at when changed.yes then now() + interval '1 hour'
        else now() + least(interval '1 day', greatest(interval '1 hour', now() - m.changed_at)) end
    from (select (git_bytes, log_bytes, lfs_bytes, attachment_bytes)
        is distinct from ($3::bigint, $4::bigint, $5::bigint, $6::bigint) as yes
      from repository_measurements where repository_id = $1) as changed
    where m.repository_id = $1`,
});

export interface DueMeasurement {
  repository_id: string;
  /** The value set by the claim; a different value later means that the repository has changed since. */
  due_at: Date;
}

export interface Sizes {
  gitBytes: number;
  logBytes: number;
  lfsBytes: number;
  attachmentBytes: number;
}

/** Schedules a measurement in a few seconds, so that several pushes in a row are measured once. */
export async function markDue(tx: Queryable, repositoryId: string): Promise<void> {
  await tx.query(statements.markDue, [repositoryId]);
}

/** Repositories that a previous release created while this one was already running. */
export async function adoptUnmarked(db: Queryable): Promise<void> {
  await db.query(statements.adoptUnmarked);
}

/** Takes some that are due, for ten minutes; after that another server tries. */
export function claimDue(db: Queryable, max: number): Promise<DueMeasurement[]> {
  return db.query(statements.claimDue, [max]);
}

/** Stored Git LFS objects; what is being uploaded is not counted. */
export async function sumLfsObjects(db: Queryable, repositoryId: string): Promise<number> {
  const row = await db.one(statements.sumLfsObjects, [repositoryId]);
  return row?.bytes ?? 0;
}

/** What is being uploaded is not counted. */
export async function sumAttachments(db: Queryable, repositoryId: string): Promise<number> {
  const row = await db.one(statements.sumAttachments, [repositoryId]);
  return row?.bytes ?? 0;
}

/**
 * Stores the result. The next measurement is due after as long as the last change is past, but at least an hour and at most a
 * day, or when a request since then says so.
 */
export async function keepSizes(db: Queryable, due: DueMeasurement, sizes: Sizes): Promise<void> {
  const { gitBytes, logBytes, lfsBytes, attachmentBytes } = sizes;
  // Not in one transaction, so that nobody who holds one row waits for the other.
  await setSize(db, due.repository_id, gitBytes / 1024);
  await db.query(statements.keepSizes, [
    due.repository_id,
    due.due_at,
    gitBytes,
    logBytes,
    lfsBytes,
    attachmentBytes,
  ]);
}
