/**
 * Leases: an offer becomes one, heartbeats renew it, a reconnecting runner is told whether it may keep it. Every statement
 * checks runner and epoch, so that messages of an earlier holder change nothing.
 */
import type { Plan } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { SignedJob } from "@forgeline/schemas/runner-protocol/signed-job.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { isNewWorkspaceSql } from "../placements/placed.store.ts";
import { attemptSql } from "../runs/attempt-states.ts";
import type { RunBehindJob } from "../runs/source-trust.ts";
import type { JobScopes } from "./job-scopes.ts";
import type { LeaseMaterial } from "./lease-spec.ts";
import type { CancelColumn, HeartbeatFacts, StoredLease, LeaseName, LeaseState, Renewal } from "./leases.ts";
import type { LeasesRows } from "./leases.rows.ts";

const { from, to } = attemptSql;

const materialColumns = `
  a.id as "attemptId", a.epoch, a.token_hash as "tokenHash", a.attempt, a.job, j.id as "jobId", s.name as "stageName",
  p.id as "pipelineId", p.number as "pipelineNumber", p.name as "pipelineName", p.sequence as "pipelineSequence", p.event, p.ref, p.sha,
  coalesce(p.plan -> 'env', '{}') as env,
  r.id as "repositoryId", r.name as repository, r.default_branch as "defaultBranch", o.name as owner,
  j.matrix, j.keep_open as "keepOpen", j.debug, case when a.job ->> 'workspace' = 'stage' then a.placement_id end as "placementId",
  ${isNewWorkspaceSql("a")} as "isNewWorkspace",
  (select l.value from pipeline_limits l where l.name = 'step_log_mib' and coalesce(l.organization_id = r.owner_id, true)
   order by l.organization_id nulls last limit 1) as "stepLogMib",
  (select jsonb_build_object('payload', g.payload, 'signatures', g.signatures) from signed_jobs g
   where g.attempt_id = a.id) as signed,
  exists (select from concurrency_slots c where c.pipeline_id = p.id and c.state = 'held'
    and c.node_id in (p.id, s.id, j.id)) as "holdsSlot",
  (select coalesce(json_agg(n order by n.combination), '[]') from (
     select n.key, n.combination, n.matrix, n.expanded, n.status, n.outputs
     from jobs n join jsonb_array_elements(nullif(a.job -> 'needs', 'null')) as need on need ->> 'job' = n.key
     where n.pipeline_id = p.id and coalesce(n.matrix::jsonb @> (need -> 'matrix'), true)) n) as needed`;

const materialJoins = `
  jobs j join stages s on s.id = j.stage_id join pipelines p on p.id = j.pipeline_id
  join repositories r on r.id = p.repository_id join owners o on o.id = r.owner_id`;

interface Known {
  /** A part of the plan, which the schema of plans describes. */
  takeLease: { env: Plan["env"]; signed: SignedJob | null };
  findLeases: { env: Plan["env"]; signed: SignedJob | null };
  findMaterial: { env: Plan["env"]; signed: SignedJob | null };
}

export const statements = defineStatements<LeasesRows, Known>({
  takeLease: `
    with taken as (update runners set job_taken = true where id = $3 and one_job)
    update job_attempts a set state = ${to("accept")}, lease_renewed_at = now(), unreachable = false,
      offer_expires_at = null, token_hash = $4
    from ${materialJoins}
    where a.id = $1 and a.epoch = $2 and a.runner_id = $3 and a.state in (${from("accept")}) and j.id = a.job_id
    returning ${materialColumns}`,
  findRunBehind: `
    select p.trust, p.triggered_by is not null as "hasPerson", r.job_permissions_max as "permissionsMax"
    from job_attempts a join pipelines p on p.id = a.pipeline_id join repositories r on r.id = p.repository_id
    where a.id = $1`,
  setTokenScopes: "update job_attempts set token_scopes = $2, token_limit = $3 where id = $1",
  findLeases: `
    select ${materialColumns}, a.started_at as "startedAt", a.cancel
    from job_attempts a join (${materialJoins}) on j.id = a.job_id
    where a.runner_id = $1 and a.state = 'leased' order by a.queued_at`,
  findMaterial: `
    select ${materialColumns} from job_attempts a join (${materialJoins}) on j.id = a.job_id where a.id = any($1)`,
  renewLeases: `
    with seen as (
      update runners set last_seen_at = now(), load = coalesce($3, load),
        free_disk_bytes = coalesce($4, free_disk_bytes)
      where id = $1 and instance_id = $2 and revoked_at is null returning id
    ), before as (
      select a.id, a.unreachable from job_attempts a
      join unnest($5::text[], $6::int[]) as held (id, epoch) on held.id = a.id and held.epoch = a.epoch
      where a.runner_id = $1 and a.state = 'leased' and exists (select from seen) for no key update of a
    ), renewed as (
      update job_attempts a set lease_renewed_at = now(), unreachable = false from before
      where a.id = before.id
      returning a.id as "attemptId", a.epoch, a.pipeline_id as "pipelineId", a.cancel,
        before.unreachable as "wasUnreachable"
    )
    select exists (select from seen) as current,
      coalesce((select jsonb_agg(renewed) from renewed), '[]') as renewed`,
  findLeaseState: `
    select runner_id as "runnerId", epoch, state, status, repository_id as "repositoryId",
      pipeline_id as "pipelineId", cancel,
      (select j.keep_open from jobs j where j.id = a.job_id) as "keepOpen"
    from job_attempts a where id = $1`,
  findCancelled: `
    select id as "attemptId", epoch, runner_id as "runnerId", cancel from job_attempts
    where runner_id = any($1) and state = 'leased' and cancel is not null`,
  hasLeaseFrom: `
    select exists (select from job_attempts where state in ('offered', 'leased') and queued_at < $1) as "isThere"`,
  isHeld: "select from job_attempts where id = $1 and epoch = $2 and state = 'leased'",
  awaitLogs: `
    update job_attempts set logs_awaited_since = coalesce(logs_awaited_since, now())
    where id = $1 and epoch = $2 and state = 'leased'
    returning logs_awaited_since <= now() - $3 * interval '1 millisecond' as overdue`,
});

/** Turns the offer into a lease. Undefined when the offer is no longer this runner's. */
export async function takeLease(
  db: Queryable,
  lease: LeaseName & { runnerId: string; tokenHash: Buffer },
): Promise<LeaseMaterial | undefined> {
  return db.one(statements.takeLease, [lease.attemptId, lease.epoch, lease.runnerId, lease.tokenHash]);
}

/** Gives the token of the attempt, which its runner has just taken, what `decide` says. */
export async function grantToken(
  tx: Queryable,
  attemptId: string,
  decide: (run: RunBehindJob) => JobScopes,
): Promise<void> {
  const run = await tx.one(statements.findRunBehind, [attemptId]);
  if (!run) return;
  const { scopes, limit } = decide(run);
  await tx.query(statements.setTokenScopes, [attemptId, scopes, limit]);
}

/** All leases that the runner holds. */
export async function findLeases(db: Queryable, runnerId: string): Promise<StoredLease[]> {
  return db.query(statements.findLeases, [runnerId]);
}

/**
 * Renews the named leases and the runner's record in one statement; returns the leases that are still its own.
 * `current` is false when another connection has taken this runner's place.
 */
export async function renewLeases(
  db: Queryable,
  facts: HeartbeatFacts,
): Promise<{ current: boolean; renewed: Renewal[] }> {
  const row = await db.one(statements.renewLeases, [
    facts.runnerId,
    facts.instanceId,
    facts.load,
    facts.freeDiskBytes,
    facts.leases.map((lease) => lease.attemptId),
    facts.leases.map((lease) => lease.epoch),
  ]);
  return row ?? { current: false, renewed: [] };
}

/** Of attempts that may not have been offered yet. */
export async function findMaterial(db: Queryable, attemptIds: readonly string[]): Promise<LeaseMaterial[]> {
  return db.query(statements.findMaterial, [[...attemptIds]]);
}

export async function findLeaseState(db: Queryable, attemptId: string): Promise<LeaseState | undefined> {
  return db.one(statements.findLeaseState, [attemptId]);
}

/** Leases of these runners that somebody asked to stop and that have not ended. */
export async function findCancelled(
  db: Queryable,
  runnerIds: readonly string[],
): Promise<(LeaseName & { runnerId: string; cancel: CancelColumn })[]> {
  return db.query(statements.findCancelled, [[...runnerIds]]);
}

export async function isHeld(db: Queryable, lease: LeaseName): Promise<boolean> {
  const row = await db.one(statements.isHeld, [lease.attemptId, lease.epoch]);
  return row !== undefined;
}

/** Records that its logs are awaited; true if they have been for longer than that. */
export async function awaitLogs(db: Queryable, lease: LeaseName, maxMs: number): Promise<boolean> {
  const row = await db.one(statements.awaitLogs, [lease.attemptId, lease.epoch, maxMs]);
  return row?.overdue ?? false;
}

/** Whether a job is held that was queued before this time: it may have a token of a key from then. */
export async function hasLeaseFrom(db: Queryable, before: Date): Promise<boolean> {
  const row = await db.one(statements.hasLeaseFrom, [before]);
  return row?.isThere ?? false;
}
