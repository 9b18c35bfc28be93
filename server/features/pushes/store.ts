/** Pushes in PostgreSQL: the intent before refs move, the record after. */
import type { Queryable } from "../../db/database.ts";
import type { PushIntent, RecordedPush, RefUpdate } from "./push.ts";

/**
 * `closed`: the repository is gone or archived by now. `cleaned`: objects that the push may rely on are being removed, or
 * were since it began, `ageMs` ago. `full`: it was larger than it may be when it was last measured.
 */
export type IntentAnswer = "accepted" | "closed" | "cleaned" | "full";

const intentStatement = `
with repository as (
  select r.id, case
    when greatest(m.pruning_until, m.pruned_at + $6 * interval '1 millisecond') > now() then 'cleaned'
    when s.git_bytes > $7::bigint then 'full'
    else 'accepted' end as answer
  from repositories r left join repository_maintenance m on m.repository_id = r.id
    left join repository_measurements s on s.repository_id = r.id
  where r.id = $2 and not r.archived and r.deleted_at is null
), intent as (
  insert into pushes (id, repository_id, user_id, updates, options, atomic)
  select $1, id, $3, $4, $5, $8 from repository where answer = 'accepted'
)
select answer from repository`;

/** `maxRepositoryBytes` is null for a push that brings nothing. */
export async function insertIntent(
  db: Queryable,
  push: PushIntent,
  { ageMs, maxRepositoryBytes }: { ageMs: number; maxRepositoryBytes: number | null },
): Promise<IntentAnswer> {
  const { id, repositoryId, userId, updates, options, atomic } = push;
  const row = await db.one<{ answer: IntentAnswer }>(intentStatement, [
    id,
    repositoryId,
    userId,
    JSON.stringify(updates),
    options,
    ageMs,
    maxRepositoryBytes,
    atomic,
  ]);
  return row?.answer ?? "closed";
}

/** Takes the intent; false when another process has, or when it was refused. */
export async function markRecorded(tx: Queryable, push: RecordedPush): Promise<boolean> {
  const row = await tx.one(
    `update pushes set state = 'recorded', updates = $2, recorded_at = now()
     where id = $1 and state = 'intended' returning id`,
    [push.id, JSON.stringify(push.updates)],
  );
  if (!row) return false;
  await tx.query("update repositories set updated_at = now() where id = $1", [push.repositoryId]);
  return true;
}

export async function markRefused(db: Queryable, pushId: string): Promise<void> {
  await db.query("update pushes set state = 'refused' where id = $1 and state = 'intended'", [pushId]);
}

export interface OpenIntent extends PushIntent {
  ageMs: number;
}

/** Intents that nobody confirmed for `olderThanMs`, oldest first; of one repository, or of all. */
export async function openIntents(
  db: Queryable,
  olderThanMs: number,
  { limit, repositoryId }: { limit: number; repositoryId: string | null },
): Promise<OpenIntent[]> {
  return db.query<OpenIntent>(
    `select p.id, p.repository_id as "repositoryId", p.user_id as "userId", u.username, p.updates, p.options, p.atomic,
       (extract(epoch from now() - p.created_at) * 1000)::float8 as "ageMs"
     from pushes p join users u on u.id = p.user_id
     where p.state = 'intended' and p.created_at <= now() - $1 * interval '1 millisecond'
       and ($3::text is null or p.repository_id = $3)
     order by p.created_at, p.id limit $2`,
    [olderThanMs, limit, repositoryId],
  );
}

/** Later pushes to the repository that were not refused, for telling whether an overwritten ref had moved. */
export async function laterUpdates(db: Queryable, push: RecordedPush): Promise<RefUpdate[]> {
  const rows = await db.query<{ updates: RefUpdate[] }>(
    `select updates from pushes where repository_id = $1 and id > $2 and state <> 'refused' order by id limit 1000`,
    [push.repositoryId, push.id],
  );
  return rows.flatMap((row) => row.updates);
}

/** Where the last record of each ref says that it is; all zeros for one that was deleted. */
export async function lastRecorded(db: Queryable, repositoryId: string): Promise<Map<string, string>> {
  const rows = await db.query<{ ref: string; after: string }>(
    `select distinct on (u.ref) u.ref, u.after
     from pushes p, jsonb_to_recordset(p.updates) as u (ref text, after text)
     where p.repository_id = $1 and p.state = 'recorded' order by u.ref, p.id desc`,
    [repositoryId],
  );
  return new Map(rows.map(({ ref, after }) => [ref, after]));
}

/** Records moves that nobody is known to have made. */
export async function insertFound(
  tx: Queryable,
  { id, repositoryId, updates }: Pick<RecordedPush, "id" | "repositoryId" | "updates">,
): Promise<void> {
  await tx.query(
    `insert into pushes (id, repository_id, updates, state, recorded_at) values ($1, $2, $3, 'recorded', now())`,
    [id, repositoryId, JSON.stringify(updates)],
  );
  await tx.query("update repositories set updated_at = now() where id = $1", [repositoryId]);
}
