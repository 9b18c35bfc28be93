/** Rows of `environments`, each with its current deployment. */
import { countRows } from "../../../platform/db/count-rows.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { EnvironmentProtection } from "@forgeline/schemas/environments/resource.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { approvedBySql } from "./deployments.store.ts";
import type { EnvironmentsRows } from "./environments.rows.ts";
import { newerSql, type NewerDeployment } from "./newer.store.ts";

export type EnvironmentRow = RowOf<typeof statements.findEnvironment>;

interface CurrentDeployment {
  deployment: string;
  pipeline_id: string;
  number: number;
  sha: string;
  ref: string;
  url: string | null;
  at: string;
  actor: string | null;
  approved_by: string[];
  before: { number: number; sha: string } | null;
}

interface OpenJob {
  pipeline_id: string;
  number: number;
  sha: string;
  ref: string;
  actor: string | null;
  job_id: string;
  key: string;
  name: string;
}

interface WaitingJob extends OpenJob {
  reason: string;
  message: string | null;
}

interface DeployingJob extends OpenJob {
  status: "queued" | "running" | "cancelling";
}

interface Shown {
  current: CurrentDeployment | null;
  waiting: WaitingJob[];
  deploying: DeployingJob[];
}

interface Known {
  /** An object that the statement builds. */
  listEnvironments: Shown;
  /** As above. */
  findEnvironment: Shown;
  /** As above. */
  findOfRun: { newer: NewerDeployment | null };
}

/** Shown of one environment, of those that wait and of those that deploy. */
const maxOpen = 20;
/** An array of jobs that have not ended and are to deploy to `e`, for which `condition` is true. */
const openJobs = (more: string, condition: string) => `
  (select coalesce(json_agg(w order by w.number desc, w.key), '[]') from (
     select p.id as pipeline_id, p.number, p.sha, p.ref, u.username as actor, j.id as job_id, j.key, j.name, ${more}
     from jobs j join pipelines p on p.id = j.pipeline_id left join users u on u.id = p.triggered_by
     where j.repository_id = e.repository_id and j.environment is not null and lower(j.environment) = lower(e.name)
       and j.finished_at is null and ${condition}
     order by p.number desc, j.key limit ${maxOpen}) w)`;
const protection =
  "e.branches, e.tags, e.approvers, e.approval_level, e.approval_count, e.allow_self, e.wait_minutes, e.refuse_older";
const columns = `e.id, e.name, ${protection}, e.allow_shell, e.confirmed_at, e.created_at, e.updated_at,
  (select json_build_object('deployment', d.id, 'pipeline_id', p.id, 'number', p.number, 'sha', p.sha, 'ref', p.ref, 'url', d.url,
     'at', a.finished_at, 'actor', u.username, 'approved_by', ${approvedBySql}, 'before', (
       select json_build_object('number', bp.number, 'sha', bp.sha)
       from deployments b join job_attempts ba on ba.id = b.attempt_id join pipelines bp on bp.id = ba.pipeline_id
       where b.environment_id = e.id and ba.status = 'success' and (b.created_at, b.id) < (d.created_at, d.id)
       order by b.created_at desc, b.id desc limit 1))
   from deployments d join job_attempts a on a.id = d.attempt_id join jobs j on j.id = a.job_id join stages s on s.id = j.stage_id
   join pipelines p on p.id = a.pipeline_id left join users u on u.id = d.actor_id
   where d.environment_id = e.id and a.status = 'success' order by d.created_at desc, d.id desc limit 1) as current,
  ${openJobs("j.reason, j.message", "j.status in ('waiting', 'awaiting_approval') and j.reason ~ '^(approval|environment_wait|concurrency):'")} as waiting,
  ${openJobs("j.status", "j.status in ('queued', 'running', 'cancelling')")} as deploying`;
const fromRepository = "from environments e where e.repository_id = $1";
const named = "lower(e.name) = lower($2)";

export const statements = defineStatements<EnvironmentsRows, Known>({
  listEnvironments: `select ${columns} ${fromRepository} order by lower(e.name) limit $2 offset $3`,
  findEnvironment: `select ${columns} ${fromRepository} and ${named}`,
  findId: `select e.id ${fromRepository} and ${named}`,
  findOfRun: `
    select p.trust, e.id, e.name, ${protection}, case when e.refuse_older then ${newerSql("array[lower(e.name)]")} end as newer
    from pipelines p
    left join environments e on e.repository_id = p.repository_id and ${named} where p.id = $1`,
  listProtections: `select e.name, e.branches, e.tags, e.approval_count, e.wait_minutes ${fromRepository}`,
  findGuarded: `select lower(e.name) as name ${fromRepository} and e.approval_count > 0`,
  hold: "select pg_advisory_xact_lock(hashtext('environments of ' || $1))",
  countEnvironments: `select count(*)::int as count ${fromRepository}`,
  insertEnvironment: `
    insert into environments (id, repository_id, name) values ($1, $2, $3) on conflict (repository_id, lower(name)) do nothing`,
  updateProtection: `
    update environments set branches = $2, tags = $3, approvers = $4, approval_count = $5, allow_self = $6, wait_minutes = $7, allow_shell = $8,
      approval_level = $9, refuse_older = $10, updated_at = now(), confirmed_at = coalesce(confirmed_at, now()) where id = $1`,
  deleteEnvironment: "delete from environments where id = $1",
  unknownApprovers: `
    select n as name from unnest($1::text[]) n
    where not exists (select from users u where lower(u.username) = lower(n) and u.type <> 'organization')
      and not exists (select from team_names t where lower(t.full_name) = lower(n))`,
});

export async function listEnvironments(
  db: Queryable,
  repositoryId: string,
  page: PageQuery,
): Promise<{ rows: EnvironmentRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.query(statements.listEnvironments, [repositoryId, page.per_page, offsetOf(page)]),
    countRows(db, fromRepository, [repositoryId]),
  ]);
  return { rows, total };
}

/** Upper and lower case are the same. */
export function findEnvironment(
  db: Queryable,
  repositoryId: string,
  name: string,
): Promise<EnvironmentRow | undefined> {
  return db.one(statements.findEnvironment, [repositoryId, name]);
}

/** null where there is none. */
export async function findId(db: Queryable, repositoryId: string, name: string): Promise<string | null> {
  return (await db.one(statements.findId, [repositoryId, name]))?.id ?? null;
}

/** What a run finds under that name; `id` is null where there is no such environment. */
export function findOfRun(db: Queryable, pipelineId: string, name: string) {
  return db.one(statements.findOfRun, [pipelineId, name]);
}

/** How each environment of the repository is protected, as far as that is known before there is a run. */
export function listProtections(db: Queryable, repositoryId: string) {
  return db.query(statements.listProtections, [repositoryId]);
}

/** Names, in lower case, of those at which people have to approve. */
export async function findGuarded(db: Queryable, repositoryId: string): Promise<Set<string>> {
  const rows = await db.query(statements.findGuarded, [repositoryId]);
  return new Set(rows.map(({ name }) => name ?? ""));
}

/** Until the transaction ends nobody else adds environments to the repository. */
export async function holdEnvironments(tx: Transaction, repositoryId: string): Promise<void> {
  await tx.query(statements.hold, [repositoryId]);
}

export async function countEnvironments(tx: Transaction, repositoryId: string): Promise<number> {
  return (await tx.one(statements.countEnvironments, [repositoryId]))?.count ?? 0;
}

/** Without protection, and not confirmed. Nothing if there is one of that name. */
export async function insertEnvironment(
  tx: Transaction,
  { id, repositoryId, name }: { id: string; repositoryId: string; name: string },
): Promise<void> {
  await tx.query(statements.insertEnvironment, [id, repositoryId, name]);
}

/** Confirms it too. */
export async function updateProtection(
  tx: Transaction,
  id: string,
  { protection: given, allowShell }: { protection: EnvironmentProtection; allowShell: boolean },
): Promise<void> {
  const { branches, tags, approvers, count, allow_self: allowSelf, wait_minutes: waitMinutes } = given;
  await tx.query(statements.updateProtection, [
    id,
    branches,
    tags,
    approvers,
    count,
    allowSelf,
    waitMinutes,
    allowShell,
    given.level,
    given.refuse_older,
  ]);
}

export async function deleteEnvironment(tx: Transaction, id: string): Promise<void> {
  await tx.query(statements.deleteEnvironment, [id]);
}

/** Those that are neither a user nor a team. */
export async function unknownApprovers(db: Queryable, names: readonly string[]): Promise<string[]> {
  const rows = await db.query(statements.unknownApprovers, [[...names]]);
  return rows.map(({ name }) => name ?? "");
}
