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
  keepSizes: `
    update repository_measurements m set git_bytes = $3, log_bytes = $4, lfs_bytes = $5, measured_at = now(),
      changed_at = case when changed.yes then now() else m.changed_at end,
      due_at = case when m.due_at <> $2 then m.due_at when changed.yes then now() + interval '1 hour'
        else now() + least(interval '1 day', greatest(interval '1 hour', now() - m.changed_at)) end
    from (select (git_bytes, log_bytes, lfs_bytes) is distinct from ($3::bigint, $4::bigint, $5::bigint) as yes
      from repository_measurements where repository_id = $1) as changed
    where m.repository_id = $1`,
});

export interface DueMeasurement {
  repository_id: string;
  /** What it was set to by the claim; something else later means that the repository changed meanwhile. */
  due_at: Date;
}

export interface Sizes {
  gitBytes: number;
  logBytes: number;
  lfsBytes: number;
}

/** Lets the repository be measured in a few seconds, so that a row of pushes is measured once. */
export async function markDue(tx: Queryable, repositoryId: string): Promise<void> {
  await tx.query(statements.markDue, [repositoryId]);
}

/** Repositories that a previous release made while this one was there already. */
export async function adoptUnmarked(db: Queryable): Promise<void> {
  await db.query(statements.adoptUnmarked);
}

/** Takes some whose time has come, for ten minutes: after that another server tries. */
export function claimDue(db: Queryable, max: number): Promise<DueMeasurement[]> {
  return db.query(statements.claimDue, [max]);
}

/** Stored Git LFS objects; what is being uploaded is not counted. */
export async function sumLfsObjects(db: Queryable, repositoryId: string): Promise<number> {
  const row = await db.one(statements.sumLfsObjects, [repositoryId]);
  return row?.bytes ?? 0;
}

/**
 * Keeps what was found. The next time is as far away as the last change is past: between an hour and a day; or as was
 * asked for meanwhile.
 */
export async function keepSizes(db: Queryable, due: DueMeasurement, sizes: Sizes): Promise<void> {
  const { gitBytes, logBytes, lfsBytes } = sizes;
  // Not in one transaction: nobody who holds the one row has to wait for the other.
  await setSize(db, due.repository_id, gitBytes / 1024);
  await db.query(statements.keepSizes, [due.repository_id, due.due_at, gitBytes, logBytes, lfsBytes]);
}
