/** Gates of runs, and what people have decided at them. */
import type { PlanApproval } from "@forgeline/schemas/pipeline-file/plan-approval.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { goingBackSql, type GoingBack } from "../environments/going-back.store.ts";
import { newerSql, type NewerDeployment } from "../environments/newer.store.ts";
import type { GatesRows } from "./gates.rows.ts";
import { mayApproveSql } from "./may-approve.store.ts";

export interface KnownOfGate {
  /** Objects that the statement builds; no column of them can be null. */
  approvals: GivenApproval[];
  /** `exists` is never null. */
  is_awaited: boolean;
  /** As above. */
  may_decide: boolean;
  /** An object that the statement builds. */
  newer: NewerDeployment | null;
  /** As above. */
  rollback: GoingBack | null;
}

interface Known {
  /** Why is said there. */
  listGates: KnownOfGate;
}

export interface GivenApproval {
  user_id: string;
  username: string;
  decision: "approve" | "reject";
  comment: string;
  counts: boolean;
  decided_at: string;
}

const waiting = `exists (select 1 from jobs j join stages s on s.id = j.stage_id
  where j.pipeline_id = g.pipeline_id and j.status = 'awaiting_approval' and s.name = g.stage and (g.job is null or j.key = g.job))`;

/** Whether a job waits at the gate `g`, and people can let it pass. */
export const awaitedSql = `${waiting} and (g.environment is null or g.environment_id is not null)`;

/** The gate `g` of the run `p` in the repository `r` as people see it; `user`: parameter with the id of who asks. */
export const gateColumns = (user: string) => `
  g.id, g.sequence, p.sha, g.stage, g.job, g.environment, g.rule, g.state, g.opened_at, g.expires_at, g.decided_at, g.expires_at <= now() as is_late,
  ${awaitedSql} as is_awaited,
  (select coalesce(json_agg(json_build_object('user_id', a.user_id, 'username', u.username, 'decision', a.decision,
      'comment', a.comment, 'decided_at', a.decided_at,
      'counts', case when g.state = 'open' then ${mayApproveSql("u.is_admin")} else a.counted end) order by a.decided_at), '[]')
   from approvals a join users u on u.id = a.user_id where a.gate_id = g.id) as approvals,
  exists (select 1 from users u where u.id = ${user} and ${mayApproveSql("u.is_admin")}) as may_decide,
  case when ${waiting} then ${newerSql("g.deploys_to")} end as newer,
  case when ${waiting} then ${goingBackSql("g.deploys_to")} end as rollback`;

export const statements = defineStatements<GatesRows, Known>({
  openGate: `
    insert into approval_gates (id, pipeline_id, sequence, stage, job, rule, environment, environment_id, wait_until, state, decided_at,
      excluded, expires_at)
    select $1, p.id, p.sequence, $3, $4, $5::jsonb, $8, $9, now() + $10::int * interval '1 minute',
      case when ($5::jsonb ->> 'count')::int = 0 then 'approved' else 'open' end, case when ($5::jsonb ->> 'count')::int = 0 then now() end,
      case when ($5::jsonb ->> 'allowSelf')::boolean then '{}' else array(
        select u.id from users u where u.id = p.triggered_by or u.username = b.rerun_by or u.id in (
          select e.user_id from user_emails e where e.verified_at is not null
            and lower(e.email) = lower(substring(p.event ->> 'commitAuthor' from '<([^<>]*)>$')))) end,
      least(now() + $6 * interval '1 millisecond', greatest(now(), b.began_at + $7 * interval '1 millisecond'))
    from pipelines p cross join lateral (
      select coalesce(max(t.at), p.created_at) as began_at,
        (array_agg(t.actor order by t.id desc) filter (where t.node = 'job'))[1] as rerun_by
      from transitions t where t.pipeline_id = p.id and t.new_status = 'created' and p.sequence > 1) b
    where p.id = $2`,
  addTarget: "update approval_gates set deploys_to = deploys_to || $2::text where id = $1",
  findGate: `
    select g.id, g.deploys_to, g.expires_at, g.state, g.rule, extract(epoch from g.expires_at - now())::float8 * 1000 as left_ms, d.username, d.comment,
      (select count(*)::int from approvals a join users u on u.id = a.user_id
       where a.gate_id = g.id and a.decision = 'approve' and ${mayApproveSql("u.is_admin")}) as given,
      g.job, g.environment, g.environment_id, g.wait_until, extract(epoch from g.wait_until - now())::float8 * 1000 as wait_ms
    from approval_gates g join pipelines p on p.id = g.pipeline_id and p.sequence = g.sequence
    join repositories r on r.id = p.repository_id
    left join lateral (select u.username, a.comment from approvals a join users u on u.id = a.user_id
      where a.gate_id = g.id and a.decision = case g.state when 'approved' then 'approve' else 'reject' end order by a.decided_at desc limit 1) d on true
    where g.pipeline_id = $1 and g.stage = $2 and g.job is not distinct from $3 and lower(g.environment) is not distinct from lower($4)`,
  approvedGates: `
    select g.stage, g.job, g.environment from approval_gates g join pipelines p on p.id = g.pipeline_id and p.sequence = g.sequence
    where g.pipeline_id = $1 and g.state = 'approved'`,
  waitingAt: `
    select g.pipeline_id, g.sequence, g.stage, g.job from approval_gates g
    join pipelines p on p.id = g.pipeline_id and p.sequence = g.sequence and p.finished_at is null where g.environment_id = $1`,
  // Passed only with enough approvals that count: one of them may have been lost since the gate was read.
  closeGate: `
    update approval_gates g set state = $2::text, decided_at = now() where g.id = $1 and ($2::text <> 'approved'
      or (select count(*) from approvals a where a.gate_id = g.id and a.decision = 'approve' and a.counted) >= (g.rule ->> 'count')::int)
    returning extract(epoch from now() - g.opened_at)::float8 as "openSeconds"`,
  giveApproval: `
    insert into approvals (gate_id, user_id, decision, comment) values ($1, $2, $3, $4)
    on conflict (gate_id, user_id) do update set decision = excluded.decision, comment = excluded.comment, decided_at = now()`,
  keepCounted: `
    update approvals a set counted = ${mayApproveSql("u.is_admin")} from approval_gates g
    join pipelines p on p.id = g.pipeline_id join repositories r on r.id = p.repository_id, users u
    where g.id = $1 and a.gate_id = g.id and u.id = a.user_id`,
  // Of the current sequence, in the order in which they were reached.
  listGates: `
    select ${gateColumns("$2")}
    from approval_gates g join pipelines p on p.id = g.pipeline_id and p.sequence = g.sequence
    join repositories r on r.id = p.repository_id
    where g.pipeline_id = $1 and ($3::text is null or g.id = $3) and (g.rule ->> 'count')::int > 0
    order by g.opened_at, g.id`,
});

export type GateRow = RowOf<typeof statements.findGate>;
export type ListedGate = RowOf<typeof statements.listGates>;
/** A place in the file: a stage, or a job in it; with an environment, what the job deploys to. */
export interface GatePlace {
  stage: string;
  job: string | null;
  environment: string | null;
}

/** Where a gate is that an environment asks for. */
export interface GateOfEnvironment {
  id: string;
  waitMinutes: number;
}

/**
 * In the current sequence of the run; `longestMs` counts from its beginning. One at which nobody has to approve is approved from the
 * beginning: it only waits.
 */
export async function openGate(
  tx: Transaction,
  gate: {
    id: string;
    pipelineId: string;
    place: GatePlace;
    rule: PlanApproval;
    longestMs: number;
    /** undefined: the gate is the file's. */
    environment?: GateOfEnvironment | undefined;
  },
): Promise<void> {
  const { id, pipelineId, place, rule, longestMs, environment } = gate;
  await tx.query(statements.openGate, [
    id,
    pipelineId,
    place.stage,
    place.job,
    JSON.stringify(rule),
    rule.expiresMs,
    longestMs,
    place.environment,
    environment?.id ?? null,
    environment?.waitMinutes ?? null,
  ]);
}

/** In the current sequence; undefined if it was not reached. `username` is whose decision was the last, with its `comment`. */
export function findGate(db: Queryable, pipelineId: string, place: GatePlace): Promise<GateRow | undefined> {
  return db.one(statements.findGate, [pipelineId, place.stage, place.job, place.environment]);
}

/** `name`: an environment that a job behind the gate deploys to, in lower case. */
export async function addTarget(tx: Transaction, id: string, name: string): Promise<void> {
  await tx.query(statements.addTarget, [id, name]);
}

/** Those of the current sequence that are open. */
export function approvedGates(db: Queryable, pipelineId: string) {
  return db.query(statements.approvedGates, [pipelineId]);
}

/** Gates of an environment in open runs. */
export function waitingAt(db: Queryable, environmentId: string) {
  return db.query(statements.waitingAt, [environmentId]);
}

/**
 * Approvals of those who may not approve any more are marked as not counted. False for `approved` without enough of those that count: the
 * gate stays open.
 */
export async function closeGate(
  tx: Transaction,
  id: string,
  state: "approved" | "rejected" | "expired",
): Promise<boolean> {
  await tx.query(statements.keepCounted, [id]);
  const closed = await tx.one(statements.closeGate, [id, state]);
  if (closed) tx.count("forgeline_approval_wait_seconds", { outcome: state }, closed.openSeconds);
  return closed !== undefined;
}

/** The later decision of a user replaces the earlier one. */
export async function giveApproval(
  tx: Transaction,
  given: { gateId: string; userId: string; decision: "approve" | "reject"; comment: string },
): Promise<void> {
  await tx.query(statements.giveApproval, [given.gateId, given.userId, given.decision, given.comment]);
}

/** `userId`: who asks, for `may_decide`. With `gateId`, only this one. */
export function listGates(
  db: Queryable,
  pipelineId: string,
  { userId, gateId = null }: { userId: string | null; gateId?: string | null },
): Promise<ListedGate[]> {
  return db.query(statements.listGates, [pipelineId, userId, gateId]);
}
