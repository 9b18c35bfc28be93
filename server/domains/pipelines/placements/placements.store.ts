/**
 * Rows of placements. Whoever locks several rows takes those of the run, the placement and the attempts in this order. A claim has the
 * attempt first, so it never waits for a placement.
 */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { placementPrefix, placementsPerSlot } from "./placement-labels.ts";
import { placementSql } from "./placement-states.ts";
import type { PlacementsRows } from "./placements.rows.ts";

const { from, to } = placementSql;

const held = "a.state in ('offered', 'leased')";

/** With another label for its runner. The place in the order stays the same. */
const relabelled = (label: string) =>
  `array(select case when starts_with(l.label, '${placementPrefix}') then ${label} else l.label end
    from unnest(a.labels) with ordinality as l(label, place) order by l.place)`;

export const statements = defineStatements<PlacementsRows>({
  lockOpen: `
    select id, state, runner_id as "runnerId" from placements
    where stage_id = $1 and sequence = $2 and state <> 'over' for update`,
  insert: `
    insert into placements (id, pipeline_id, stage_id, repository_id, sequence, shared)
    select $1, s.pipeline_id, s.id, p.repository_id, $3, $4 from stages s join pipelines p on p.id = s.pipeline_id
    where s.id = $2`,
  // Their last attempt has begun, and not in this placement.
  hasRunElsewhere: `
    select exists (select from unnest($1::text[]) as j(id) cross join lateral (
      select a.begun, a.placement_id from job_attempts a where a.job_id = j.id order by a.attempt desc limit 1) last
      where last.begun and last.placement_id is distinct from $2) as "hasRun"`,
  lastRunner: `
    select r.name from placements p join runners r on r.id = p.runner_id
    where p.stage_id = $1 order by p.created_at desc limit 1`,
  choose: `
    with found as (
      select id, state, runner_id from placements where id = $1 and state <> 'over' for update skip locked
    ), chosen as (
      update placements p set state = ${to("choose")}, runner_id = $2, chosen_at = now()
      from found f where p.id = f.id and f.state in (${from("choose")}) returning p.id
    )
    select f.runner_id as "runnerId", exists (select from chosen) as "isNew" from found f`,
  isTurnTaken: `
    select exists (select from job_attempts a where a.placement_id = $1 and a.id <> $2 and ${held}
      and a.job ->> 'workspace' = 'stage') as taken`,
  relabelQueued: `
    update job_attempts a set labels = ${relabelled("$2")} where a.id in (
      select q.id from job_attempts q where q.placement_id = $1 and q.state = 'queued' for update skip locked)`,
  reopen: `
    update placements p set state = ${to("reopen")}, runner_id = null, chosen_at = null
    where p.id = $1 and p.state in (${from("reopen")})
      and not exists (select from job_attempts a where a.placement_id = p.id and ${held}) returning p.id`,
  begin: `
    update placements p set state = ${to("begin")} from job_attempts a
    where a.id = $1 and p.id = a.placement_id and p.state in (${from("begin")})`,
  findApart: `
    select r.id from placements p join runners r on r.id = p.runner_id where p.state in ('chosen', 'held')
    group by r.id, r.capacity having count(*) >= r.capacity * ${placementsPerSlot} or bool_or(exists (
      select from job_attempts a where a.placement_id = p.id and a.placement_id is not null and a.state = 'queued'))`,
  findReleasable: `
    select given.id from unnest($2::text[]) as given(id)
    where not exists (select from placements p where p.id = given.id and p.runner_id = $1 and p.state in ('chosen', 'held'))
      and not exists (select from job_attempts a where a.placement_id = given.id and a.runner_id = $1 and ${held})`,
});

export function lockOpen(
  tx: Transaction,
  stageId: string,
  sequence: number,
): Promise<PlacementsRows["lockOpen"] | undefined> {
  return tx.one(statements.lockOpen, [stageId, sequence]);
}

export async function insertPlacement(
  tx: Transaction,
  placement: { id: string; stageId: string; sequence: number; shared: boolean },
): Promise<void> {
  const { id, stageId, sequence, shared } = placement;
  await tx.query(statements.insert, [id, stageId, sequence, shared]);
}

/** Whether one of these jobs has last run in another placement than this; null: than any that is open. */
export async function hasRunElsewhere(
  tx: Transaction,
  jobIds: readonly string[],
  placementId: string | null,
): Promise<boolean> {
  const row = await tx.one(statements.hasRunElsewhere, [[...jobIds], placementId]);
  return row?.hasRun ?? false;
}

/** Name of the runner that the jobs of the stage had last. */
export async function lastRunner(tx: Transaction, stageId: string): Promise<string | null> {
  return (await tx.one(statements.lastRunner, [stageId]))?.name ?? null;
}

/** Undefined: it is over, or somebody else decides about it right now. `runnerId` is from before. */
export function choose(
  tx: Transaction,
  placementId: string,
  runnerId: string,
): Promise<PlacementsRows["choose"] | undefined> {
  return tx.one(statements.choose, [placementId, runnerId]);
}

export async function isTurnTaken(tx: Transaction, placementId: string, attemptId: string): Promise<boolean> {
  return (await tx.one(statements.isTurnTaken, [placementId, attemptId]))?.taken ?? false;
}

/** Those that somebody else changes right now keep their labels; who claims one of these finds out. */
export async function relabelQueued(tx: Transaction, placementId: string, label: string): Promise<void> {
  await tx.query(statements.relabelQueued, [placementId, label]);
}

/** False: its runner has a job of it, or had one. */
export async function reopen(tx: Transaction, placementId: string): Promise<boolean> {
  return (await tx.one(statements.reopen, [placementId])) !== undefined;
}

/** Of the attempt, if it has one. */
export async function begin(tx: Transaction, attemptId: string): Promise<void> {
  await tx.query(statements.begin, [attemptId]);
}

/** Runners that match other jobs than those with the same labels: queued jobs wait for them alone, or they get no further stage. */
export async function findApart(db: Queryable): Promise<string[]> {
  const rows = await db.query(statements.findApart);
  return rows.map(({ id }) => id);
}

/** Those of the workspaces that the runner need not keep. */
export async function findReleasable(
  db: Queryable,
  runnerId: string,
  placementIds: readonly string[],
): Promise<string[]> {
  const rows = await db.query(statements.findReleasable, [runnerId, [...placementIds]]);
  return rows.flatMap(({ id }) => (id === null ? [] : [id]));
}
