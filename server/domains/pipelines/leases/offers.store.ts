/**
 * The queue, as rows of `job_attempts`: attempts are offered and put back, each by one statement on the queue, so any
 * number of servers may do it at once. Among the groups (repository, labels) that fit, the owner with the fewest held attempts
 * goes first, then his repository with the fewest, then the attempt whose turn comes first. The index skips from group to
 * group, so the length of a group costs nothing. Groups that ask for labels which the runner does not have are skipped
 * together: all labels are known that a fitting group could have at the place of one that is missing, so the walk continues
 * at the next of these. How many such groups there are costs nothing either. A runner of an organization goes from one
 * repository that it serves to the next, and so does one whose group is limited to single repositories.
 */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { attemptSql } from "../runs/attempt-states.ts";
import { hasTurnSql, ownLabelsSql, plainLabelsSql } from "../placements/placed.store.ts";
import { failsSql, joinedLabelsSql, servesSql, unnamedSql } from "../runners/fits.store.ts";
import type { Claimant, Offer } from "./claims.ts";
import type { OffersRows } from "./offers.rows.ts";
import type { Turn } from "./turns.ts";

const { from, to } = attemptSql;

/** The place of the first label that the runner fails; null where the group fits. */
const firstFailed = `case when a.labels <@ c.match_labels then null else (
    select min(l.place)::int from unnest(a.labels) with ordinality as l(label, place)
    where ${failsSql("l.label", "c.match_labels")}) end`;

/**
 * Where the next matching group may be. After one that matches: the very next labels possible. After one that the runner fails:
 * the same labels before the failed one, with the runner's next label instead; where there is none, so with the label before it.
 * Of labels that a job rules out, each other one may fit: those are passed one by one, and begin at the `!` that every runner has
 * for this. A null, which sorts behind every label, is behind all groups that begin like it.
 */
const nextLabels = `case when g.failed is null then g.labels || ''::text else coalesce(
    (select own.labels from generate_series(1, g.failed) as p(place) cross join lateral (
       select g.labels[:p.place] || null::text as labels where left(g.labels[p.place], 1) = '!'
       union all
       select g.labels[:p.place - 1] || min(m.label) from unnest(c.next_labels) as m(label)
       where left(g.labels[p.place], 1) <> '!' and m.label > g.labels[p.place] having min(m.label) is not null) own
     order by p.place desc limit 1),
    array[null]::text[]) end`;

/**
 * Where the next repository that the runner serves may be, after one that it does not: among those that its group names, or of its
 * organization. If the group names owners, whose repositories may be many, the next one that waits is looked at, whosever it is.
 */
const nextServed = `case when c.by_owner then g.repository_id
          when c.limited_to is not null then (select min(e.repository_id) from runner_group_access e
            where e.group_id = c.limited_to and e.repository_id > g.repository_id)
          else (select min(r.id) from repositories r where r.owner_id = c.organization_id and r.id > g.repository_id) end`;

/** Whether a group limits the runner, and to owners. */
const byOwner = `case when grp.access = 'selected' then exists (
          select from runner_group_access e where e.group_id = grp.id and e.owner_id is not null) else false end`;

/** Behind all groups of the repository, or before them. */
const firstLabels = `case when c.by_owner then array[null]::text[] else '{}'::text[] end`;

const serves = (repositoryId: string) => servesSql("c", repositoryId, "c.limited_to");

/**
 * How many attempts each owner and each repository has on runners of the claimant's own scope, by id: who brings runners of their
 * own loses no share of those for all. Not counted if only one repository waits, since nothing is to be shared then.
 */
const shares = `
      select jsonb_object_agg(h.id, h.held) as held from (
        select coalesce(a.repository_id, a.share_owner) as id, count(*) as held from job_attempts a
        where a.state in ('offered', 'leased') and a.share_scope = (select share_scope from claimant) and a.share_owner is not null
          and (select min(repository_id) <> max(repository_id) from fitting)
        group by grouping sets ((a.share_owner), (a.repository_id))) h`;

/** Fewest first, then whoever had no turn for longest. */
const byShare = (id: string) =>
  `coalesce((s.held ->> ${id})::int, 0), coalesce(($4::jsonb ->> ${id})::int, 0)`;

/** Of a repository that the walk comes to. An organization's runner serves one owner only. */
const ownerOf = (group: "first" | "next") => `case when c.organization_id is not null then c.organization_id
          else (select o.owner_id from repositories o where o.id = ${group}.repository_id) end`;

interface Known {
  /** A plan gives each job an image. */
  claim: { image: string };
}

export const statements = defineStatements<OffersRows, Known>({
  claim: `
    with recursive claimant as (
      select r.id, r.repository_id, r.organization_id, own.match_labels, r.must_name,
        own.match_labels || '!'::text as next_labels, coalesce(r.organization_id, r.repository_id, '') as share_scope,
        case when grp.access = 'selected' then grp.id end as limited_to, ${byOwner} as by_owner
      from runners r left join runner_groups grp on grp.id = r.group_id
      cross join lateral (select r.match_labels || ${ownLabelsSql("r")} || ${joinedLabelsSql("grp")} as match_labels) own
      where r.id = $1 and r.instance_id = $2 and not r.paused and not r.draining and not r.agent_draining
        and r.revoked_at is null and not (r.one_job and r.job_taken)
        and r.capacity > (select count(*) from job_attempts h where h.runner_id = r.id and h.state in ('offered', 'leased'))
    ), groups as (
      select first.*, ${ownerOf("first")} as owner_id, ${serves("first.repository_id")} as served
      from claimant c cross join lateral (
        select a.repository_id, a.labels, a.turn_at, ${firstFailed} as failed from job_attempts a
        where a.state = 'queued' and a.repository_id >= coalesce(c.repository_id, '')
        order by a.repository_id, a.labels, a.turn_at limit 1) first
      union all
      select next.*, case when next.repository_id = g.repository_id then g.owner_id else ${ownerOf("next")} end,
        case when next.repository_id = g.repository_id then g.served else ${serves("next.repository_id")} end
      from groups g cross join claimant c cross join lateral (
        select case when g.served then g.repository_id else ${nextServed} end as repository_id,
          case when g.served then ${nextLabels} else ${firstLabels} end as labels) target
      cross join lateral (
        select a.repository_id, a.labels, a.turn_at, ${firstFailed} as failed from job_attempts a
        where a.state = 'queued' and (a.repository_id, a.labels) >= (target.repository_id, target.labels)
        order by a.repository_id, a.labels, a.turn_at limit 1) next
    ), fitting as materialized (
      select g.repository_id, g.owner_id, g.labels, g.turn_at
      from groups g cross join claimant c
      where g.served and g.failed is null and (c.must_name = '{}' or not exists ${unnamedSql("c.must_name", "g.labels")})
    ), shares as materialized (${shares}
    ), in_order as materialized (
      select f.repository_id, f.owner_id, f.labels, c.share_scope
      from fitting f cross join claimant c cross join shares s
      order by case when $5 then f.turn_at end, ${byShare("f.owner_id")}, ${byShare("f.repository_id")}, f.turn_at
    ), chosen as materialized (
      select free.id, f.owner_id, f.share_scope from in_order f cross join lateral (
        select a.id from job_attempts a
        where a.state in (${from("offer")}) and a.repository_id = f.repository_id and a.labels = f.labels
          and ${hasTurnSql("a")}
        order by a.turn_at, a.id limit 1 for update skip locked) free
      limit 1
    )
    update job_attempts a set state = ${to("offer")}, runner_id = $1, epoch = a.epoch + 1,
      offer_expires_at = now() + $3 * interval '1 millisecond', share_scope = chosen.share_scope, share_owner = chosen.owner_id
    from chosen where a.id = chosen.id
    returning a.id as "attemptId", a.epoch, a.repository_id as "repositoryId", a.job #>> '{image,name}' as image,
      a.labels, a.placement_id as "placementId", (a.job ->> 'workspace' = 'stage') is true as shares,
      (extract(epoch from now() - a.queued_at) * 1000)::float8 as "waitedMs", chosen.owner_id as "ownerId"`,
  putBack: `
    update job_attempts set state = ${to("giveBack")}, runner_id = null, offer_expires_at = null
    where id = $1 and epoch = $2 and state in (${from("giveBack")})
    returning repository_id as "repositoryId", placement_id as "placementId"`,
  putBackExpired: `
    update job_attempts set state = ${to("expire")}, runner_id = null, offer_expires_at = null
    where id in (select id from job_attempts where state in (${from("expire")}) and offer_expires_at < now()
                 for update skip locked)
    returning repository_id as "repositoryId", placement_id as "placementId"`,
  queueLengths: `
    select array_to_string(${plainLabelsSql("labels")}, ',') as labels, count(*)::int as length,
      extract(epoch from now() - min(queued_at))::float8 as "oldestSeconds"
    from job_attempts where state = 'queued' group by 1 order by min(queued_at) limit 100`,
  countHeld: `select state, count(*)::int as count from job_attempts where state in ('offered', 'leased') group by state`,
});

/** The transaction plans by indexes: otherwise, claims keep the plan made for a short queue. */
export function claim(tx: Transaction, claimant: Claimant, turn: Turn): Promise<Offer | undefined> {
  const { runnerId, instanceId, deadlineMs } = claimant;
  const recent = JSON.stringify(turn.recent);
  return tx.one(statements.claim, [runnerId, instanceId, deadlineMs, recent, turn.longestWait]);
}

export interface PutBack {
  repositoryId: string;
  placementId: string | null;
}

/** Undefined when it is no longer this offer. */
export function putBack(
  tx: Transaction,
  offer: { attemptId: string; epoch: number },
): Promise<PutBack | undefined> {
  return tx.one(statements.putBack, [offer.attemptId, offer.epoch]);
}

export function putBackExpired(tx: Transaction): Promise<PutBack[]> {
  return tx.query(statements.putBackExpired);
}

/** Queued attempts by label set, with the age of the oldest; for metrics, so the hundred sets that wait longest. */
export async function queueLengths(
  db: Queryable,
): Promise<{ labels: string; length: number; oldestSeconds: number }[]> {
  return db.query(statements.queueLengths);
}

/** Offered and leased attempts of the whole instance; for metrics. */
export function countHeld(db: Queryable): Promise<{ state: string; count: number }[]> {
  return db.query(statements.countHeld);
}
