/**
 * The queue's door for runners: taking the fairest fitting attempt as an offer, and giving offers back. Each is one
 * statement on the queue, so any number of servers may do it at once. Among the groups (repository, labels) that fit, the
 * repository with the fewest held attempts goes first, then the oldest attempt; the index skips from group to
 * group, so the length of a group costs nothing.
 */
import type { Database, Queryable } from "../../db/database.ts";

export interface Offer {
  attemptId: string;
  epoch: number;
  repositoryId: string;
  image: string;
  labels: string[];
  /** How long the attempt had been queued. */
  waitedMs: number;
}

export interface Claimant {
  runnerId: string;
  instanceId: string;
  deadlineMs: number;
}

const claimStatement = `
  with recursive claimant as (
    select r.id, r.repository_id, r.match_labels from runners r
    where r.id = $1 and r.instance_id = $2 and not r.paused and not r.draining and not r.agent_draining
      and r.revoked_at is null
      and r.capacity > (select count(*) from job_attempts h where h.runner_id = r.id and h.state in ('offered', 'leased'))
  ), groups as (
    (select a.repository_id, a.labels from job_attempts a
     where a.state = 'queued'
       and a.repository_id >= coalesce((select repository_id from claimant), '')
       and exists (select from claimant)
     order by a.repository_id, a.labels limit 1)
    union all
    select next.repository_id, next.labels from groups g cross join lateral (
      select a.repository_id, a.labels from job_attempts a
      where a.state = 'queued' and (a.repository_id, a.labels) > (g.repository_id, g.labels)
      order by a.repository_id, a.labels limit 1) next
  ), fitting as materialized (
    select g.repository_id, g.labels, oldest.queued_at,
      (select count(*) from job_attempts h
       where h.repository_id = g.repository_id and h.state in ('offered', 'leased')) as held
    from groups g join claimant c on g.labels <@ c.match_labels
      and (c.repository_id is null or c.repository_id = g.repository_id)
    cross join lateral (
      select a.queued_at from job_attempts a
      where a.state = 'queued' and a.repository_id = g.repository_id and a.labels = g.labels
      order by a.queued_at, a.id limit 1) oldest
    order by held, oldest.queued_at
  ), chosen as materialized (
    select free.id from fitting f cross join lateral (
      select a.id from job_attempts a
      where a.state = 'queued' and a.repository_id = f.repository_id and a.labels = f.labels
      order by a.queued_at, a.id limit 1 for update skip locked) free
    limit 1
  )
  update job_attempts a set state = 'offered', runner_id = $1, epoch = a.epoch + 1,
    offer_expires_at = now() + $3 * interval '1 millisecond'
  from chosen where a.id = chosen.id
  returning a.id as "attemptId", a.epoch, a.repository_id as "repositoryId", a.job #>> '{image,name}' as image,
    a.labels, (extract(epoch from now() - a.queued_at) * 1000)::float8 as "waitedMs"`;

/** A plan made while the queue was short is kept when it is long: only walks along the index stay quick then. */
const indexOnlyStatement =
  "select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)";

/** Takes one attempt for the runner, or none: nothing fits, or the runner is full, paused, draining or replaced. */
export async function claimNext(db: Database, claimant: Claimant): Promise<Offer | undefined> {
  return db.transaction(async (tx) => {
    await tx.query(indexOnlyStatement);
    return tx.one<Offer>(claimStatement, [claimant.runnerId, claimant.instanceId, claimant.deadlineMs]);
  });
}

/** Puts an offer back at its old place in the queue. False when it is no longer this offer. */
export async function returnOffer(
  db: Database,
  offer: { attemptId: string; epoch: number },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const rows = await tx.query<{ repositoryId: string }>(
      `update job_attempts set state = 'queued', runner_id = null, offer_expires_at = null
       where id = $1 and epoch = $2 and state = 'offered' returning repository_id as "repositoryId"`,
      [offer.attemptId, offer.epoch],
    );
    for (const row of rows) await tx.notify("queue", row.repositoryId);
    return rows.length > 0;
  });
}

/** Puts back every offer whose deadline has passed, on any server; returns how many. */
export async function returnExpiredOffers(db: Database): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await tx.query<{ repositoryId: string }>(
      `update job_attempts set state = 'queued', runner_id = null, offer_expires_at = null
       where id in (select id from job_attempts where state = 'offered' and offer_expires_at < now()
                    for update skip locked)
       returning repository_id as "repositoryId"`,
    );
    for (const repositoryId of new Set(rows.map((row) => row.repositoryId)))
      await tx.notify("queue", repositoryId);
    return rows.length;
  });
}

/** Queued attempts by label set, with the age of the oldest; for metrics. */
export async function queueLengths(
  db: Queryable,
): Promise<{ labels: string; length: number; oldestSeconds: number }[]> {
  return db.query(
    `select array_to_string(labels, ',') as labels, count(*)::int as length,
       extract(epoch from now() - min(queued_at))::float8 as "oldestSeconds"
     from job_attempts where state = 'queued' group by labels`,
  );
}
