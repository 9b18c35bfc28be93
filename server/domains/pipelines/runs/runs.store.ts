/** Reading runs: rows as they are, for `present.ts`. Nothing here decides who may see them. */
import type { JobPermission } from "@forgeline/schemas/pipeline-file/file-permissions.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { PipelineEventRecord } from "@forgeline/schemas/pipelines/resource.ts";
import type { PipelineListQuery } from "@forgeline/schemas/pipelines/routes.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import {
  beforeInWorkspace,
  lastPlacement,
  ownLabelsSql,
  placedRunner,
  placementColumns,
} from "../placements/placed.store.ts";
import { failsSql, groupLabelsSql, limitSql, openSql, scopeSql, unnamedSql } from "../runners/fits.store.ts";
import { endsWhenLostSql } from "./lost-attempts.ts";
import { mostBefore } from "./queue-reasons.ts";
import type { CheckedCommit } from "./checks.store.ts";
import { countsSql, isLeftOutSql, isResultDueSql } from "./counted-runs.store.ts";
import type { RunsRows } from "./runs.rows.ts";

interface Known {
  /** An event without the parts that the statement removes. */
  listRuns: { event: ShownEvent };
  readRun: {
    /** As above. */
    event: ShownEvent;
    /** Keys of the jobs that each job needs, by key, as in the schema of plans. */
    needs: Record<string, string[]>;
    /** Of the jobs whose file says something of their network or asks for privileges, by key. */
    rights: Record<string, { network: string[] | null; privileged: true | null }>;
    /** Of those that say so. */
    permissions: Record<string, JobPermission[]>;
  };
}
type ShownEvent = Pick<PipelineEvent, "repository" | "commitMessage" | "commitAuthor" | "actor"> & {
  schedule?: { name: string };
};
export type SummaryRow = RowOf<typeof statements.listRuns>;
/** `variables` are their names. */
export type RunRow = RowOf<typeof statements.readRun>;
/** `outputs` are null if they are too large for an answer about the whole run. */
export type JobRow = RunRow["jobs"][number];
export type AttemptRow = RunRow["attempts"][number];
export type StepRow = RunRow["steps"][number];

const summaryColumns = `p.id, p.number, p.status, p.reason, p.message, p.warnings, p.file, p.name, p.source, p.ref, p.sha, p.merge_request_number,
  p.event - '{changedPaths,variables,variableLevels,environmentVariables,inputs}'::text[] as event, p.triggered_by as user_id, u.username, p.schedule_id, p.sequence, p.created_at, p.updated_at, p.started_at, p.finished_at`;

const isThis = "p.repository_id = $1 and (p.id = $2 or p.number = $3)";

/** `{id}` accepts the id and the number. */
function addressed(repositoryId: string, idOrNumber: string): [string, string, number | null] {
  const isNumber = /^[1-9][0-9]{0,8}$/.test(idOrNumber);
  return [repositoryId, idOrNumber, isNumber ? Number(idOrNumber) : null];
}

export type RunVersion = RunsRows["findRunVersion"];

/** A small query that is enough to answer 304. */
export function findRunVersion(db: Queryable, repositoryId: string, idOrNumber: string) {
  return db.one(statements.findRunVersion, addressed(repositoryId, idOrNumber));
}

/**
 * Maximum size of the outputs of one job as JSON. Their size in the table, which is usually smaller, is known without reading
 * them.
 */
const maxOutputBytes = 2_048;
const maxWarnings = 5;

const withOwnLabels = `cross join lateral (
    select r.match_labels || ${ownLabelsSql("r")} || ${groupLabelsSql("r")} as labels) own`;

/** What keeps the runner `r` from the attempt `a`, by labels. */
const obstacles = `
  array(select l.label from unnest(a.labels) as l(label)
    where left(l.label, 1) <> '!' and ${failsSql("l.label", "own.labels")} order by 1) as missing,
  array(select substr(l.label, 2) from unnest(a.labels) as l(label)
    where left(l.label, 1) = '!' and ${failsSql("l.label", "own.labels")} order by 1) as "ruledOut",
  array(select * from ${unnamedSql("r.must_name", "a.labels")} as u(label) order by 1) as unnamed`;

/** Whether the runner `r` would be there for jobs of the repository of `a`, whatever its group says. */
const isNear = `r.revoked_at is null and r.instance_id is not null and not (r.one_job and r.job_taken)
  and ${scopeSql("r", "a.repository_id")}`;

/** Whether it is in a group that the repository may use. */
const isOpen = openSql(limitSql("r"), "a.repository_id");
const isThere = `${isNear} and ${isOpen}`;

/** Whether the runner `r` has all that the attempt `a` asks for, and asks for nothing else. */
const fits = `not exists (select from unnest(a.labels) as l(label) where ${failsSql("l.label", "own.labels")})
    and not exists ${unnamedSql("r.must_name", "a.labels")}`;

/** A `QueueRow` for each queued attempt of the pipeline `p` of the statement around it. */
const queueRows = `
select a.id, a.priority, case when (a.job ->> 'priority')::int > a.priority then (a.job ->> 'priority')::int end as asked, line.before, fit.fitting, fit.usable, fit.free, fit.kept, near.name as nearest, near.missing, near."ruledOut", near.unnamed,
  placed.name as placed, turn.name as occupant, shut.found is true as "isShut", away.name as offline, away.since as "offlineSince"
from job_attempts a
cross join lateral (
  select count(*) as fitting, count(*) filter (where u.usable) as usable,
    count(*) filter (where u.usable and r.capacity > s.held) as free, coalesce(sum(s.kept) filter (where u.usable), 0)::int as kept
  from runners r cross join lateral (select not (r.paused or r.draining or r.agent_draining) as usable) u
  cross join lateral (select count(*) as held, count(*) filter (where h.kept_until > now()) as kept from job_attempts h
    where h.runner_id = r.id and h.state in ('offered', 'leased')) s
  ${withOwnLabels}
  where ${isThere} and ${fits}
) fit
left join lateral (
  select r.name, o.* from runners r ${withOwnLabels} cross join lateral (select ${obstacles}) o
  where fit.fitting = 0 and ${isThere}
  -- One that has all labels of the file tells most: why it does not take the job is what its author cannot see there.
  order by (select count(*) from unnest(o.missing) as l(label) where left(l.label, 1) <> '@'),
    cardinality(o.missing) + cardinality(o."ruledOut") + cardinality(o.unnamed), r.name limit 1
) near on true
left join lateral (
  select true as found from runners r ${withOwnLabels} where fit.fitting = 0 and ${isNear} and not ${isOpen} and ${fits} limit 1
) shut on true
left join lateral (
  -- Those of the instance are not named: not everybody may know of them.
  select case when coalesce(r.repository_id, r.organization_id) is not null then r.name end as name,
    to_char(r.last_seen_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') as since
  from runners r ${withOwnLabels}
  where fit.fitting = 0 and r.instance_id is null and r.last_seen_at is not null and r.revoked_at is null and not r.one_job
    and ${scopeSql("r", "a.repository_id")} and ${isOpen} and ${fits} order by r.last_seen_at desc limit 1
) away on true
left join lateral (${placedRunner}) placed on true
left join lateral (${beforeInWorkspace}) turn on true
cross join lateral (
  select count(*) as before from (
    select from job_attempts b
    where b.state = 'queued' and b.repository_id = a.repository_id and b.labels = a.labels and (b.turn_at, b.id) < (a.turn_at, a.id)
    limit ${mostBefore + 1}) earlier
) line
where a.pipeline_id = p.id and a.state in ('queued', 'offered')`;

/**
 * In one statement, so that queued parts always have their reasons. If `jobId` is given, only this job, with all of its
 * outputs.
 */
export function readRun(db: Queryable, pipelineId: string, jobId?: string): Promise<RunRow | undefined> {
  return db.one(statements.readRun, [pipelineId, jobId ?? null]);
}

/** Why each queued attempt of the run waits now. */
export function readQueue(db: Queryable, pipelineId: string): Promise<RunsRows["readQueue"][]> {
  return db.query(statements.readQueue, [pipelineId]);
}

/**
 * Whether a run of the commit has succeeded, or its conditions skipped it, for any pipeline file. On the merged result none may have
 * failed, and all that is due was made.
 */
export async function hasPassed(
  db: Queryable,
  { repositoryId, sha, mergeRequest = 0 }: CheckedCommit,
): Promise<boolean> {
  const row = await db.one(statements.hasPassed, [repositoryId, sha, mergeRequest]);
  return row !== undefined;
}

const listFrom = `from pipelines p left join users u on u.id = p.triggered_by
  where p.repository_id = $1 and ($2::text is null or p.status = $2)
    and ($3::text is null or p.ref = $3 or p.ref = 'refs/heads/' || $3 or p.ref = 'refs/tags/' || $3)
    and ($4::text is null or p.source = $4) and ($5::text is null or lower(coalesce(u.username, p.event ->> 'actor')) = lower($5))
    and ($6::text is null or p.file = $6 or p.file = '.forgeline/' || $6 || '.yml')
    and ($7::timestamptz is null or p.created_at >= $7) and ($8::text is null or p.sha = $8)`;

export const statements = defineStatements<RunsRows, Known>({
  // Runs that its jobs started are shown with it.
  findRunVersion: `
    select p.id, p.number, p.version + (select coalesce(sum(c.version), 0) from pipelines c where c.parent_id = p.id)::bigint as version,
      p.finished_at is null as open
    from pipelines p where ${isThis}`,
  readRun: `
    select ${summaryColumns}, p.repository_id, p.diagnostics, p.templates, p.foreseen, array(select jsonb_object_keys(p.variables)) as variables, p.inputs,
      (select coalesce(json_agg(s order by s.position), '[]') from (
         select s.*, ${placementColumns} from stages s ${lastPlacement} where s.pipeline_id = p.id) s) as stages,
      (select coalesce(json_agg(j order by j.position, j.combination), '[]') from (
         select j.id, j.position, j.combination, j.stage_id, j.key, j.matrix, j.name, j.status, j.reason, j.message, j.failure_allowed, j.keep_open, j.debug, j.started_at,
           j.finished_at, case when $2::text is not null or pg_column_size(j.outputs) <= ${maxOutputBytes}
             and octet_length(j.outputs::text) <= ${maxOutputBytes} then j.outputs end as outputs
         from jobs j where j.pipeline_id = p.id and ($2::text is null or j.id = $2)) j) as jobs,
      (select coalesce(json_agg(a order by a.attempt), '[]') from (
         select a.id, a.job_id, a.attempt, a.state, a.status, a.reason, a.message, a.exit_code, a.runner_id,
           r.name as runner_name, a.unreachable, ${endsWhenLostSql} as ends_when_lost, case when a.state = 'leased' then a.kept_until end as kept_until, a.log_complete, w.shown as warnings, cardinality(a.warnings) - cardinality(w.shown) as warnings_omitted,
           a.queued_at, a.priority, a.started_at, a.finished_at
         from job_attempts a left join runners r on r.id = a.runner_id
         cross join lateral (select case when $2::text is null then a.warnings[:${maxWarnings}] else a.warnings end as shown) w
         where a.pipeline_id = p.id and ($2::text is null or a.job_id = $2)) a) as attempts,
      (select coalesce(json_agg(t order by t.position), '[]') from (
         select t.id, t.attempt_id, t.position, t.name, t.parallel_group, t.status, t.reason, t.message, t.exit_code,
           t.started_at, t.finished_at from steps t where t.attempt_id in (
           select id from job_attempts where pipeline_id = p.id and ($2::text is null or job_id = $2))) t) as steps,
      coalesce((select json_object_agg(n ->> 'key', jsonb_path_query_array(n, '$.needs[*].job'))
         from jsonb_array_elements(p.plan -> 'jobs') n), '{}') as needs,
      coalesce((select json_object_agg(n ->> 'key', json_build_object('network', n -> 'network' -> 'allow', 'privileged', n -> 'privileged'))
         from jsonb_array_elements(p.plan -> 'jobs') n where n ?| '{network,privileged}'), '{}') as rights,
      p.trust, o.job_permissions_max as permissions_max,
      exists (select from approval_gates g where g.pipeline_id = p.id) as has_gates,
      coalesce((select json_object_agg(n ->> 'key', case when n ? 'trigger' then '[]' else n -> 'permissions' end)
         from jsonb_array_elements(p.plan -> 'jobs') n where n ?| '{trigger,permissions}'), '{}') as permissions,
      (select coalesce(json_agg(q), '[]') from (${queueRows}) q) as queue
    from pipelines p join repositories o on o.id = p.repository_id left join users u on u.id = p.triggered_by
    where p.id = $1`,
  readQueue: `select q.* from pipelines p cross join lateral (${queueRows}) q where p.id = $1`,
  // Where the merged result is tested, what ran for the head says nothing of it, and of each file the newest run counts.
  hasPassed: `
    with found as (
      select p.file, p.number, p.status, coalesce(p.reason, '') as reason, p.finished_at,
        p.parent_id is null and p.head_sha is not null and r.merge_request_pipelines = 'merged_result' as is_result
      from pipelines p join repositories r on r.id = p.repository_id
      where p.repository_id = $1 and ${countsSql("$3")} and not p.needs_approval and not (${isLeftOutSql})
    ), results as (
      select distinct on (file) status, reason, finished_at from found where is_result order by file, number desc
    ), counted as (
      select status, reason from results
      union all select status, reason from found where not exists (select from results)
    )
    select true as passed
    where exists (select from counted where status = 'success' or status = 'skipped' and reason not in ('skip_ci', 'merge_conflict'))
      and not exists (select from results where finished_at is not null and status not in ('success', 'skipped'))
      and not ${isResultDueSql("$3")}`,
  listRuns: `select ${summaryColumns} ${listFrom} order by p.number desc limit $9 offset $10`,
  listTransitions: `
    select id, node, node_id, attempt, old_status, new_status, reason, message, actor, at
    from transitions where pipeline_id = $1 order by id limit $2 offset $3`,
  countTransitions: "select count(*) as total from transitions where pipeline_id = $1",
  countOpen: "select status, count(*)::int as count from pipelines where finished_at is null group by status",
  openRuns: `select id, number from pipelines where repository_id = $1 and finished_at is null order by number`,
});

export async function listRuns(
  db: Queryable,
  repositoryId: string,
  query: PipelineListQuery,
): Promise<{ rows: SummaryRow[]; total: number }> {
  const {
    status = null,
    ref = null,
    event = null,
    actor = null,
    pipeline = null,
    since = null,
    sha = null,
  } = query;
  const filter = [repositoryId, status, ref, event, actor, pipeline, since, sha];
  const [rows, total] = await Promise.all([
    db.query(statements.listRuns, [...filter, query.per_page, (query.page - 1) * query.per_page]),
    countRows(db, listFrom, filter),
  ]);
  return { rows, total };
}

export async function listTransitions(
  db: Queryable,
  pipelineId: string,
  page: { page: number; per_page: number },
): Promise<{ rows: (Omit<PipelineEventRecord, "at"> & { at: Date })[]; total: number }> {
  const rows = await db.query(statements.listTransitions, [pipelineId, page.per_page, offsetOf(page)]);
  const count = await db.one(statements.countTransitions, [pipelineId]);
  return { rows, total: count?.total ?? 0 };
}

/** Runs that have not ended, of the whole instance. */
export function countOpen(db: Queryable): Promise<{ status: string; count: number }[]> {
  return db.query(statements.countOpen);
}

/** Those that are under way, oldest first. */
export function openRuns(db: Queryable, repositoryId: string): Promise<{ id: string; number: number }[]> {
  return db.query(statements.openRuns, [repositoryId]);
}
