/**
 * The queue, as rows of `job_attempts`: attempts are offered and put back, each by one statement on the queue, so any
 * number of servers may do it at once. Among the groups (repository, labels) that fit, the
 * repository with the fewest held attempts goes first, then the oldest attempt; the index skips from group to
 * group, so the length of a group costs nothing. Groups that ask for labels which the runner does not have are skipped
 * together: all labels are known that a fitting group could have at the place of one that is missing, so the walk continues
 * at the next of these. How many such groups there are costs nothing either.
 */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { attemptSql } from "../runs/attempt-states.ts";
import type { Claimant, Offer } from "./claims.ts";
import type { OffersRows } from "./offers.rows.ts";

const { from, to } = attemptSql;

/** The place of the first label that the runner lacks; null where the group fits. */
const firstLacking = `(select min(l.place)::int from unnest(a.labels) with ordinality as l(label, place)
    where l.label <> all (c.match_labels))`;

/**
 * Where the next matching group may be. After one that matches: the very next labels possible. After one that lacks a label:
 * the same labels before it, with the runner's next label instead; where there is none, so with the label before it. The null,
 * which sorts behind every label, is behind all groups of the repository.
 */
const nextLabels = `case when g.lacking is null then g.labels || ''::text else coalesce(
    (select g.labels[:p.place - 1] || own.label from generate_series(1, g.lacking) as p(place) cross join lateral (
       select min(m.label) as label from unnest(c.match_labels) as m(label) where m.label > g.labels[p.place]) own
     where own.label is not null order by p.place desc limit 1),
    array[null]::text[]) end`;

/** Counted once for each repository, not for each group. */
const heldOf = (group: "first" | "next") => `(select count(*) from job_attempts h
    where h.repository_id = ${group}.repository_id and h.state in ('offered', 'leased'))`;

/** A runner of a repository serves only that repository. */
const isServed = "(c.repository_id is null or c.repository_id = g.repository_id)";

interface Known {
  /** A plan gives each job an image. */
  claim: { image: string };
}

export const statements = defineStatements<OffersRows, Known>({
  /** PostgreSQL keeps a plan made for a short queue when the queue is long: only index scans stay fast then. */
  planByIndexes:
    "select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)",
  claim: `
    with recursive claimant as (
      select r.id, r.repository_id, r.match_labels from runners r
      where r.id = $1 and r.instance_id = $2 and not r.paused and not r.draining and not r.agent_draining
        and r.revoked_at is null
        and r.capacity > (select count(*) from job_attempts h where h.runner_id = r.id and h.state in ('offered', 'leased'))
    ), groups as (
      select first.*, ${heldOf("first")} as held from claimant c cross join lateral (
        select a.repository_id, a.labels, ${firstLacking} as lacking from job_attempts a
        where a.state = 'queued' and a.repository_id >= coalesce(c.repository_id, '')
        order by a.repository_id, a.labels limit 1) first
      union all
      select next.*, case when next.repository_id = g.repository_id then g.held else ${heldOf("next")} end
      from groups g cross join claimant c cross join lateral (select ${nextLabels} as labels) target
      cross join lateral (
        select a.repository_id, a.labels, ${firstLacking} as lacking from job_attempts a
        where a.state = 'queued' and (a.repository_id, a.labels) >= (g.repository_id, target.labels)
        order by a.repository_id, a.labels limit 1) next
      where ${isServed}
    ), fitting as materialized (
      select g.repository_id, g.labels
      from groups g join claimant c on ${isServed}
      cross join lateral (
        select a.queued_at from job_attempts a
        where a.state = 'queued' and a.repository_id = g.repository_id and a.labels = g.labels
        order by a.queued_at, a.id limit 1) oldest
      where g.lacking is null
      order by g.held, oldest.queued_at
    ), chosen as materialized (
      select free.id from fitting f cross join lateral (
        select a.id from job_attempts a
        where a.state in (${from("offer")}) and a.repository_id = f.repository_id and a.labels = f.labels
        order by a.queued_at, a.id limit 1 for update skip locked) free
      limit 1
    )
    update job_attempts a set state = ${to("offer")}, runner_id = $1, epoch = a.epoch + 1,
      offer_expires_at = now() + $3 * interval '1 millisecond'
    from chosen where a.id = chosen.id
    returning a.id as "attemptId", a.epoch, a.repository_id as "repositoryId", a.job #>> '{image,name}' as image,
      a.labels, (extract(epoch from now() - a.queued_at) * 1000)::float8 as "waitedMs"`,
  putBack: `
    update job_attempts set state = ${to("giveBack")}, runner_id = null, offer_expires_at = null
    where id = $1 and epoch = $2 and state in (${from("giveBack")}) returning repository_id as "repositoryId"`,
  putBackExpired: `
    update job_attempts set state = ${to("expire")}, runner_id = null, offer_expires_at = null
    where id in (select id from job_attempts where state in (${from("expire")}) and offer_expires_at < now()
                 for update skip locked)
    returning repository_id as "repositoryId"`,
  queueLengths: `
    select array_to_string(labels, ',') as labels, count(*)::int as length,
      extract(epoch from now() - min(queued_at))::float8 as "oldestSeconds"
    from job_attempts where state = 'queued' group by labels`,
  countHeld: `select state, count(*)::int as count from job_attempts where state in ('offered', 'leased') group by state`,
});

/** For the rest of the transaction; without it, claims keep the plan made for a short queue. */
export async function planByIndexes(tx: Transaction): Promise<void> {
  await tx.query(statements.planByIndexes);
}

export function claim(tx: Transaction, claimant: Claimant): Promise<Offer | undefined> {
  return tx.one(statements.claim, [claimant.runnerId, claimant.instanceId, claimant.deadlineMs]);
}

/** Its repository; undefined when it is no longer this offer. */
export async function putBack(
  tx: Transaction,
  offer: { attemptId: string; epoch: number },
): Promise<string | undefined> {
  const row = await tx.one(statements.putBack, [offer.attemptId, offer.epoch]);
  return row?.repositoryId;
}

/** The repository of each. */
export async function putBackExpired(tx: Transaction): Promise<string[]> {
  const rows = await tx.query(statements.putBackExpired);
  return rows.map((row) => row.repositoryId);
}

/** Queued attempts by label set, with the age of the oldest; for metrics. */
export async function queueLengths(
  db: Queryable,
): Promise<{ labels: string; length: number; oldestSeconds: number }[]> {
  return db.query(statements.queueLengths);
}

/** Offered and leased attempts of the whole instance; for metrics. */
export function countHeld(db: Queryable): Promise<{ state: string; count: number }[]> {
  return db.query(statements.countHeld);
}
