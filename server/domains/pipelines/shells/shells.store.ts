/** Rows of `shells`, and the parcels between the two ends of one. */
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { shellSql, shellStates } from "./shell-states.ts";
import type { ShellsRows } from "./shells.rows.ts";

const { from, to } = shellSql;
/** A ticket is used within this time. */
export const ticketSeconds = 60;

const isRun = "p.repository_id = $1 and (p.id = $2 or p.number = $3)";

interface Known {
  /** Of the newest attempt, else of the plan. */
  findSharers: { job: PlanJob | null };
}

export const statements = defineStatements<ShellsRows, Known>({
  findPlace: `
    select p.id as "pipelineId", p.number, p.trust, j.id as "jobId", j.key, j.name, j.status, a.id as "attemptId", a.attempt,
      a.state = 'leased' as "isLeased", a.started_at is not null as "isStarted", a.unreachable, a.cancel is not null as "isStopping", a.job,
      coalesce(e.allow_shell, false) as "allowShell"
    from pipelines p join jobs j on j.pipeline_id = p.id
    left join lateral (select * from job_attempts a where a.job_id = j.id order by a.attempt desc limit 1) a on true
    left join environments e on e.repository_id = p.repository_id and lower(e.name) = lower(a.job -> 'environment' ->> 'name')
    where ${isRun} and j.id = $4`,
  findSharers: `
    select coalesce(a.job, planned.job) as job, coalesce(e.allow_shell, false) as "allowShell"
    from jobs j join pipelines p on p.id = j.pipeline_id
    join lateral (
      select one.job from jsonb_array_elements(p.plan::jsonb -> 'jobs') one(job)
      where one.job ->> 'key' = j.key and one.job ->> 'workspace' = 'stage' and one.job ->> 'stage' = $2
    ) planned on true
    left join lateral (select a.job from job_attempts a where a.job_id = j.id order by a.attempt desc limit 1) a on true
    left join environments e on e.repository_id = p.repository_id
      and lower(e.name) = lower(coalesce(a.job, planned.job) -> 'environment' ->> 'name')
    where j.pipeline_id = $1`,
  hold: "select pg_advisory_xact_lock(hashtext('shells'))",
  countOpen: `
    select count(*)::int as instance, count(*) filter (where attempt_id = $1)::int as job,
      count(*) filter (where user_id = $2)::int as user
    from shells where state <> 'ended'`,
  insertShell: `
    insert into shells (id, pipeline_id, job_id, attempt_id, user_id, actor, stream_id, ticket_hash, state, columns, rows)
    values ($1, $2, $3, $4, $5, $6, $7, $8, '${shellStates.initial}', $9, $10) returning asked_at`,
  connectViewer: `
    update shells set state = ${to("connect")}, viewer_seen_at = now()
    where id = $1 and pipeline_id = $2 and ticket_hash = $3 and state in (${from("connect")})
      and asked_at > now() - interval '${ticketSeconds} seconds'
    returning actor`,
  findWanted: `
    select s.id as "shellId", s.attempt_id as "attemptId", a.epoch, a.runner_id as "runnerId", s.columns, s.rows
    from shells s join job_attempts a on a.id = s.attempt_id
    where s.state = 'connected' and a.state = 'leased' and ($1::text is null or s.id = $1)`,
  connectRunner: `
    update shells s set state = ${to("run")}, running_at = now(), runner_seen_at = now() from job_attempts a
    where s.id = $1 and a.id = s.attempt_id and a.runner_id = $2 and a.state = 'leased' and s.state in (${from("run")})
    returning s.stream_id as "streamId"`,
  seeViewers: `
    update shells set viewer_seen_at = now() where id = any($1::text[]) and state <> 'ended' returning id`,
  seeRunners: `
    update shells set runner_seen_at = now() where id = any($1::text[]) and state <> 'ended' returning id`,
  findLost: `
    select id, state from shells where state <> 'ended' and (
      state = 'asked' and asked_at < now() - interval '${ticketSeconds} seconds'
      or viewer_seen_at < now() - $1 * interval '1 millisecond'
      or runner_seen_at < now() - $1 * interval '1 millisecond'
      or state = 'connected' and asked_at < now() - interval '${ticketSeconds} seconds' - $1 * interval '1 millisecond')`,
  endShell: `
    with ended as (
      update shells set state = ${to("end")}, ended_at = now(), end_reason = $2, end_message = $3, exit_code = $4
      where id = $1 and state in (${from("end")}) returning *
    )
    select s.actor, s.pipeline_id as "pipelineId", n.full_name || '#' || p.number as name, j.id as "jobId", j.key, a.attempt,
      extract(epoch from s.ended_at - s.running_at)::float8 as seconds
    from ended s join pipelines p on p.id = s.pipeline_id join jobs j on j.id = s.job_id
      join job_attempts a on a.id = s.attempt_id join repository_names n on n.repository_id = p.repository_id`,
  findEnd: `select end_reason as reason, end_message as message, exit_code as "exitCode" from shells where id = $1 and state = 'ended'`,
  putParcel: `
    insert into shell_parcels (shell_id, recipient, frames)
    select $1, $2, $3 where exists (select from shells where id = $1 and state <> 'ended')
    on conflict do nothing returning shell_id`,
  removeParcels: `
    delete from shell_parcels p where not exists (
      select from shells s where s.id = p.shell_id and (s.state <> 'ended' or s.ended_at > now() - interval '1 minute'))`,
  takeParcel: "delete from shell_parcels where shell_id = $1 and recipient = $2 returning frames",
});

export type ShellPlace = RowOf<typeof statements.findPlace>;
export type EndedShell = RowOf<typeof statements.endShell>;
export type Side = "viewer" | "runner";

/** A job with its newest attempt, by id or number of the run; undefined: there is none. */
export function findPlace(
  db: Queryable,
  repositoryId: string,
  { run, job }: { run: string; job: string },
): Promise<ShellPlace | undefined> {
  const number = /^[1-9][0-9]{0,8}$/.test(run) ? Number(run) : null;
  return db.one(statements.findPlace, [repositoryId, run, number, job]);
}

/** All jobs of the run that work in the workspace of this stage. */
export function findSharers(db: Queryable, pipelineId: string, stage: string) {
  return db.query(statements.findSharers, [pipelineId, stage]);
}

/** Open shells of an attempt, of a user, and of all. Others wait until the transaction ends. */
export async function countOpenLocked(
  tx: Queryable,
  attemptId: string,
  userId: string | null,
): Promise<ShellsRows["countOpen"]> {
  await tx.query(statements.hold);
  return countOpen(tx, attemptId, userId);
}

async function countOpen(db: Queryable, attemptId: string | null, userId: string | null) {
  const row = await db.one(statements.countOpen, [attemptId, userId]);
  return row ?? { instance: 0, job: 0, user: 0 };
}

/** Of the whole instance. */
export async function countAllOpen(db: Queryable): Promise<number> {
  return (await countOpen(db, null, null)).instance;
}

export interface NewShell {
  id: string;
  pipelineId: string;
  jobId: string;
  attemptId: string;
  userId: string | null;
  /** JSON. */
  actor: string;
  streamId: string;
  ticketHash: Buffer;
  columns: number;
  rows: number;
}

/** Returns when the database says that it was asked for. */
export async function insertShell(tx: Queryable, shell: NewShell): Promise<Date> {
  const row = await tx.one(statements.insertShell, [
    shell.id,
    shell.pipelineId,
    shell.jobId,
    shell.attemptId,
    shell.userId,
    shell.actor,
    shell.streamId,
    shell.ticketHash,
    shell.columns,
    shell.rows,
  ]);
  if (!row) throw new Error("the shell was not stored");
  return row.asked_at;
}

/** Uses the ticket up; returns whose it is. Undefined where it is unknown, used, too old, or of another run. */
export async function connectViewer(
  tx: Queryable,
  ticket: { shellId: string; pipelineId: string; hash: Buffer },
): Promise<unknown> {
  const row = await tx.one(statements.connectViewer, [ticket.shellId, ticket.pipelineId, ticket.hash]);
  return row?.actor;
}

/** Shells whose runner has not come yet; one of them, or all. */
export function findWanted(db: Queryable, shellId: string | null) {
  return db.query(statements.findWanted, [shellId]);
}

/** Undefined unless the runner has the job of the shell, and is asked for it. */
export function connectRunner(db: Queryable, shellId: string, runnerId: string) {
  return db.one(statements.connectRunner, [shellId, runnerId]);
}

/** Says that these ends are here; returns the shells among them that are still open. */
export async function seeEnds(db: Queryable, side: Side, shellIds: readonly string[]): Promise<string[]> {
  const statement = side === "viewer" ? statements.seeViewers : statements.seeRunners;
  const rows = await db.query(statement, [[...shellIds]]);
  return rows.map(({ id }) => id);
}

/** Open shells whose ticket was not used in time, or of whose end nothing was heard for so long. */
export function findLost(db: Queryable, silentMs: number) {
  return db.query(statements.findLost, [silentMs]);
}

export interface ShellEnd {
  reason: string;
  /** A sentence for people. */
  message: string;
  exitCode: number | null;
}

/** Undefined when it had ended already. */
export function endShell(tx: Queryable, shellId: string, end: ShellEnd): Promise<EndedShell | undefined> {
  return tx.one(statements.endShell, [shellId, end.reason, end.message, end.exitCode]);
}

/** How it ended; undefined while it is open. */
export async function findEnd(db: Queryable, shellId: string): Promise<ShellEnd | undefined> {
  const row = await db.one(statements.findEnd, [shellId]);
  return row && { reason: row.reason ?? "", message: row.message ?? "", exitCode: row.exitCode };
}

/** False while the parcel before is still there, and when the shell has ended. */
export async function putParcel(
  db: Queryable,
  shellId: string,
  parcel: { recipient: Side; frames: Buffer },
): Promise<boolean> {
  const row = await db.one(statements.putParcel, [shellId, parcel.recipient, parcel.frames]);
  return row !== undefined;
}

export async function takeParcel(
  db: Queryable,
  shellId: string,
  recipient: Side,
): Promise<Buffer | undefined> {
  return (await db.one(statements.takeParcel, [shellId, recipient]))?.frames;
}

/** Those that nobody took when their shell ended. */
export async function removeParcels(db: Queryable): Promise<void> {
  await db.query(statements.removeParcels);
}
