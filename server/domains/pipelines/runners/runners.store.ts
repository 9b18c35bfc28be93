/** Rows of `runners` for REST operations, and of registration tokens. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { featureLabel } from "@forgeline/schemas/runners/feature.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { executorLabels, mandatoryLabels, matchLabels, otherLabels, signedLabel } from "./labels.ts";
import type { ScopeIds } from "./scope.ts";
import type { RunnersRows } from "./runners.rows.ts";

export type RunnerRow = RunnersRows["findRunner"];

/** Of which runners: each parameter may be null, for all. */
const isOf = `($1::text is null or r.repository_id = $1) and ($2::text is null or r.organization_id = $2)`;

const select = `
  select r.id, r.name, r.group_id, rg.name as group_name, n.owner, n.name as repository, r.repository_id, r.organization_id, o.name as organization, r.one_job, r.executor, r.engine, r.requires_signatures,
    '${featureLabel("privileged")}' = any(r.match_labels) as takes_privileged, r.image_cache_bytes, r.labels, r.capacity, r.paused,
    r.draining, r.drain_deadline, r.agent_draining, r.problem, r.version, r.os, r.arch, r.hostname, r.instance_id is not null as connected,
    extract(epoch from now() - r.last_seen_at)::float8 as seconds_unseen, r.load, r.free_disk_bytes, r.limits,
    r.egress, r.connected_at, r.last_seen_at, r.duplicate_seen_at, r.created_at, r.updated_at,
    (select count(*)::int from job_attempts a where a.runner_id = r.id and a.state in ('offered', 'leased')) as running
  from runners r left join repository_names n on n.repository_id = r.repository_id
    left join owners o on o.id = r.organization_id left join runner_groups rg on rg.id = r.group_id
  where r.revoked_at is null`;

export const statements = defineStatements<RunnersRows>({
  findRunner: `${select} and r.id = $1`,
  findRunners: `${select} and ${isOf} order by r.id desc limit $3 offset $4`,
  findJobs: `
    select n.full_name as repository, p.number as pipeline, j.key as job, a.attempt, a.started_at as "startedAt"
    from job_attempts a join jobs j on j.id = a.job_id join pipelines p on p.id = a.pipeline_id
      join repository_names n on n.repository_id = a.repository_id
    where a.runner_id = $1 and a.state in ('offered', 'leased') order by a.id limit 1000`,
  countRunners: `select count(*)::int as total from runners r where r.revoked_at is null and ${isOf}`,
  insertRunner: `
    insert into runners (id, name, repository_id, credential_hash, labels, match_labels, capacity, created_by, organization_id,
      must_name, one_job, group_id)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
  changeRunner: `
    update runners set name = coalesce($2, name), paused = coalesce($3, paused), draining = coalesce($4, draining),
      drain_deadline = case when $4::boolean is null then drain_deadline when $4 then now() + $15 * interval '1 minute' end,
      set_labels = case when $5 then $6 else set_labels end, labels = coalesce($6, labels),
      match_labels = case when $7::text[] is null then match_labels
        else $7::text[] || array(select label from unnest(match_labels) label where label like '@%')
          || case when executor = 'process' then $11::text[] else '{}' end end,
      must_name = case when $10::text[] is null then must_name
        else $10::text[] || case when requires_signatures then array['${signedLabel}'] else '{}' end
          || case when executor = 'process' then $12::text[] else '{}' end end,
      set_capacity = case when $8 then $9 else set_capacity end, capacity = coalesce($9, capacity),
      group_id = case when $13 then $14 else group_id end, updated_at = now()
    where id = $1`,
  revokeRunner: `
    with lapsed as (
      update job_attempts set lease_renewed_at = '1970-01-01' where runner_id = $1 and state = 'leased'
    )
    update runners set revoked_at = now(), updated_at = now() where id = $1 and revoked_at is null returning id`,
  insertRegistrationToken: `
    with cleared as (delete from runner_registration_tokens where expires_at < now() - interval '1 day')
    insert into runner_registration_tokens (id, token_hash, repository_id, uses_left, expires_at, created_by, organization_id, group_id)
    values ($1, $2, $3, $4, now() + $5 * interval '1 minute', $6, $7, $8) returning *`,
  useRegistrationToken: `
    update runner_registration_tokens t set uses_left = uses_left - 1 from users u
    where t.token_hash = $1 and t.uses_left > 0 and t.expires_at > now() and u.id = t.created_by and not u.suspended
    returning t.id, t.repository_id, t.organization_id, t.group_id, t.created_by, u.username`,
});

export async function findRunner(db: Queryable, id: string): Promise<RunnerRow | undefined> {
  return db.one(statements.findRunner, [id]);
}

export async function findRunners(
  db: Queryable,
  { repositoryId, organizationId }: ScopeIds,
  page: PageQuery,
): Promise<{ rows: RunnerRow[]; total: number }> {
  const of = [repositoryId, organizationId];
  const rows = await db.query(statements.findRunners, [...of, page.per_page, offsetOf(page)]);
  const count = await db.one(statements.countRunners, of);
  return { rows, total: count?.total ?? 0 };
}

export type RunnerJobRow = RunnersRows["findJobs"];

/** What it has or is being offered. */
export async function findJobs(db: Queryable, id: string): Promise<RunnerJobRow[]> {
  return db.query(statements.findJobs, [id]);
}

export interface NewRunner extends ScopeIds {
  id: string;
  name: string;
  credentialHash: Buffer;
  labels: readonly string[];
  capacity: number;
  oneJob: boolean;
  groupId: string | null;
  createdBy: string;
}

export async function insertRunner(db: Queryable, runner: NewRunner): Promise<void> {
  await db.query(statements.insertRunner, [
    runner.id,
    runner.name,
    runner.repositoryId,
    runner.credentialHash,
    runner.labels,
    matchLabels(runner.labels),
    runner.capacity,
    runner.createdBy,
    runner.organizationId,
    mandatoryLabels(runner.labels),
    runner.oneJob,
    runner.groupId,
  ]);
}

export interface RunnerChange {
  name: string | null;
  paused: boolean | null;
  draining: boolean | null;
  /** How long its jobs may go on when it drains; default: as long as they take. */
  withinMinutes?: number | undefined;
  /** Undefined: as it is; null: the runner's own word counts from its next `hello` on. */
  labels: readonly string[] | null | undefined;
  capacity: number | null | undefined;
  /** Undefined: as it is; null: in none from now on. */
  group: { id: string; name: string } | null | undefined;
}

export async function changeRunner(db: Queryable, id: string, change: RunnerChange): Promise<void> {
  const { labels, capacity, group } = change;
  const others = labels ? otherLabels(labels) : null;
  const byExecutor = executorLabels("process");
  await db.query(statements.changeRunner, [
    id,
    change.name,
    change.paused,
    change.draining,
    labels !== undefined,
    labels ?? null,
    others?.match ?? null,
    capacity !== undefined,
    capacity ?? null,
    others?.mustName ?? null,
    byExecutor.match,
    byExecutor.mustName,
    group !== undefined,
    group?.id ?? null,
    change.withinMinutes ?? null,
  ]);
}

/** Invalidates the credential; its leases count as silent forever. */
export async function revokeRunner(db: Queryable, id: string): Promise<boolean> {
  const row = await db.one(statements.revokeRunner, [id]);
  return row !== undefined;
}

export type RegistrationTokenRow = RunnersRows["insertRegistrationToken"];

export async function insertRegistrationToken(
  db: Queryable,
  token: ScopeIds & {
    id: string;
    hash: Buffer;
    uses: number;
    minutes: number;
    createdBy: string;
    groupId: string | null;
  },
): Promise<RegistrationTokenRow> {
  const row = await db.one(statements.insertRegistrationToken, [
    token.id,
    token.hash,
    token.repositoryId,
    token.uses,
    token.minutes,
    token.createdBy,
    token.organizationId,
    token.groupId,
  ]);
  if (!row) throw new Error("the insert gave no row");
  return row;
}

/** Takes one use of a token that is still good. */
export async function useRegistrationToken(
  db: Queryable,
  hash: Buffer,
): Promise<RunnersRows["useRegistrationToken"] | undefined> {
  return db.one(statements.useRegistrationToken, [hash]);
}
