/** Pushes in PostgreSQL: the intent before refs move, the record after. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { idBefore } from "../../../platform/ids.ts";
import type { OtherPush } from "./decide-outcome.ts";
import type { PushesRows } from "./pushes.rows.ts";
import { touchRepository } from "../repositories/derived.store.ts";
import type { PushIntent, RecordedPush } from "./push.ts";
import { pushSql } from "./push-states.ts";

const { from, to } = pushSql;

/**
 * `closed`: the repository is gone or archived by now, or no mirror any more for a sync of one. `cleaned`: objects that the push may rely on are being removed, or
 * were since it began, `ageMs` ago. `mirrored`: somebody pushes to a mirror. `full`: it was larger than it may be when it was last measured. `replayed`: another push
 * came with this certificate.
 */
export type IntentAnswer = "accepted" | "closed" | "mirrored" | "cleaned" | "full" | "replayed";

const intentStatement = `
with repository as (
  select r.id, case
    when r.mirror and $14 <> 'mirror_sync' then 'mirrored'
    when greatest(m.pruning_until, m.pruned_at + $6 * interval '1 millisecond') > now() then 'cleaned'
    when s.git_bytes > $7::bigint then 'full'
    when exists (
      select from pushes p where p.repository_id = r.id and p.certificate_digest = $12 and p.state <> 'refused'
    ) then 'replayed'
    else 'accepted' end as answer
  from repositories r left join repository_maintenance m on m.repository_id = r.id
    left join repository_measurements s on s.repository_id = r.id
  where r.id = $2 and not r.archived and r.deleted_at is null and (r.mirror or $14 <> 'mirror_sync')
), intent as (
  insert into pushes (id, repository_id, user_id, updates, options, atomic, signature, signer, certificate, certificate_digest, writer,
    cause, reach, job_id)
  select $1, id, $3, $4, $5, $8, $9, $10, $11, $12, $13, $14, $15, $16 from repository where answer = 'accepted'
)
select answer from repository`;

interface Known {
  /** Of ids, which are never null. */
  otherPushes: { isLater: boolean };
  /** Each update of a record has both. */
  lastRecorded: { ref: string; after: string };
  /** A comparison of what is never null. */
  findBringer: { isRecorded: boolean };
}

export const statements = defineStatements<PushesRows, Known>({
  insertIntent: intentStatement,
  markRecorded: `
    update pushes set state = ${to("record")}, updates = $2, recorded_at = now()
    where id = $1 and state in (${from("record")}) returning id`,
  repositoryName: "select full_name as name from repository_names where repository_id = $1",
  markRefused: `update pushes set state = ${to("refuse")} where id = $1 and state in (${from("refuse")})`,
  reassignIntent: `
    update pushes set writer = $3
    where id = $1 and state in (${from("pass")}) and writer is not distinct from $2 returning id`,
  refWriters: `
    select id, writer, array(select u ->> 'ref' from jsonb_array_elements(updates) u) as refs
    from pushes where repository_id = $1 and state = 'intended'`,
  openIntents: `
    select p.id, p.repository_id as "repositoryId", p.cause, p.user_id as "userId", coalesce(u.username, 'system') as username, p.updates, p.options, p.atomic,
      p.signature, p.signer, p.certificate, p.certificate_digest as digest, p.writer, p.reach, p.job_id as "jobId",
      (extract(epoch from now() - p.created_at) * 1000)::float8 as "ageMs"
    from pushes p left join users u on u.id = p.user_id
    where p.state = 'intended' and p.created_at <= now() - $1 * interval '1 millisecond'
      and ($3::text is null or p.repository_id = $3)
    order by p.created_at, p.id limit $2`,
  otherPushes: `
    select p.updates, p.state = 'recorded' as "isRecorded", p.id > $2 as "isLater"
    from pushes p join pushes own on own.id = $2
    where p.repository_id = $1 and p.id > $3 and p.id <> $2 and p.state <> 'refused'
      and (p.state = 'intended' or p.recorded_at >= own.created_at - interval '100 milliseconds')
    order by p.recorded_at, p.id limit 1000`,
  lastRecorded: `
    select distinct on (u.ref) u.ref, u.after
    from pushes p, jsonb_to_recordset(p.updates) as u (ref text, after text)
    where p.repository_id = $1 and p.state = 'recorded' order by u.ref, p.id desc`,
  findBringer: `
    select p.state = 'recorded' as "isRecorded", case when p.job_id is null then p.user_id end as "userId"
    from (select * from pushes where repository_id = $1 and state <> 'refused' order by id desc limit 1000) p
    where p.updates @> jsonb_build_array(jsonb_build_object('ref', $2::text, 'after', $3::text))
    order by p.id desc limit 1`,
  insertFound: `insert into pushes (id, repository_id, updates, state, recorded_at) values ($1, $2, $3, ${to("record")}, now())`,
});

export interface IntentConditions {
  ageMs: number;
  /** Null for a push without objects. */
  maxRepositoryBytes: number | null;
  /** The process whose Git updates the refs. */
  writer: string;
}

/** Rejects, with nothing written, if the same certificate is used twice at the same time. */
export async function insertIntent(
  db: Queryable,
  push: PushIntent,
  { ageMs, maxRepositoryBytes, writer }: IntentConditions,
): Promise<IntentAnswer> {
  const { id, repositoryId, userId, updates, options, atomic, signature, cause, reach, jobId } = push;
  const row = await db.one(statements.insertIntent, [
    id,
    repositoryId,
    userId,
    JSON.stringify(updates),
    options,
    ageMs,
    maxRepositoryBytes,
    atomic,
    signature?.status,
    signature?.fingerprint,
    signature?.certificate,
    signature?.digest,
    writer,
    cause,
    reach,
    jobId,
  ]);
  return row?.answer ?? "closed";
}

/** Takes the intent; false when another process has, or when it was refused. */
export async function markRecorded(tx: Queryable, push: RecordedPush): Promise<boolean> {
  const row = await tx.one(statements.markRecorded, [push.id, JSON.stringify(push.updates)]);
  if (!row) return false;
  await touchRepository(tx, push.repositoryId);
  return true;
}

/** For example `ada/hello`; empty when the repository is gone. */
export async function repositoryName(db: Queryable, repositoryId: string): Promise<string> {
  const row = await db.one(statements.repositoryName, [repositoryId]);
  return row?.name ?? "";
}

export async function markRefused(db: Queryable, pushId: string): Promise<void> {
  await db.query(statements.markRefused, [pushId]);
}

/** Makes another process, or none, the one whose Git moves the refs; false when it is not the one of `intent` any more, or it is settled. */
export async function reassignIntent(
  db: Queryable,
  { id, writer }: Pick<OpenIntent, "id" | "writer">,
  to: string | null,
): Promise<boolean> {
  const row = await db.one(statements.reassignIntent, [id, writer, to]);
  return row !== undefined;
}

/** A push whose Git may still be updating these refs. */
export type RefWriter = PushesRows["refWriters"];

export function refWriters(db: Queryable, repositoryId: string): Promise<RefWriter[]> {
  return db.query(statements.refWriters, [repositoryId]);
}

export interface OpenIntent extends PushIntent {
  ageMs: number;
  /** The process whose Git moves the refs; null when none does. */
  writer: string | null;
}

/** Intents that nobody confirmed for `olderThanMs`, oldest first; of one repository, or of all. */
export async function openIntents(
  db: Queryable,
  olderThanMs: number,
  { limit, repositoryId }: { limit: number; repositoryId: string | null },
): Promise<OpenIntent[]> {
  const rows = await db.query(statements.openIntents, [olderThanMs, limit, repositoryId]);
  return rows.map(({ signature, signer, certificate, digest, ...intent }) => ({
    ...intent,
    signature:
      signature && certificate && digest
        ? { status: signature, fingerprint: signer, certificate, digest }
        : null,
  }));
}

/** Longer than any push takes. */
const pushMs = 24 * 60 * 60 * 1000;

/** Other pushes to the repository, for telling what became of the refs of one: open ones, and those recorded since it was written. */
export function otherPushes(db: Queryable, push: RecordedPush): Promise<OtherPush[]> {
  const since = idBefore("push", push.id, pushMs);
  return db.query(statements.otherPushes, [push.repositoryId, push.id, since]);
}

/** The last recorded value of each ref; all zeros for a deleted one. */
export async function lastRecorded(db: Queryable, repositoryId: string): Promise<Map<string, string>> {
  const rows = await db.query(statements.lastRecorded, [repositoryId]);
  return new Map(rows.map(({ ref, after }) => [ref, after]));
}

/** A commit where a ref is, or was. */
export interface RefTip {
  repositoryId: string;
  /** Full name. */
  ref: string;
  sha: string;
}

/** The newest push of this commit to this ref, recorded or about to be; by whom, unless a job did. */
export function findBringer(
  db: Queryable,
  { repositoryId, ref, sha }: RefTip,
): Promise<PushesRows["findBringer"] | undefined> {
  return db.one(statements.findBringer, [repositoryId, ref, sha]);
}

/** Records updates whose author is not known. */
export async function insertFound(
  tx: Queryable,
  { id, repositoryId, updates }: Pick<RecordedPush, "id" | "repositoryId" | "updates">,
): Promise<void> {
  await tx.query(statements.insertFound, [id, repositoryId, JSON.stringify(updates)]);
  await touchRepository(tx, repositoryId);
}
