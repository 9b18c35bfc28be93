/** A run as readers of its logs need it. The run's rows belong to `runs`, its streams are ours. */
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { RunNode, RunStream } from "./run-state.ts";
import type { RunStateRows } from "./run-state.rows.ts";

/** The key of the job `j`, and the values of a combination of a matrix in their order, cut as in its name. */
const jobLabel = `j.key || case when j.matrix is null then '' else coalesce((
  select ' (' || case when length(v) > 150 then left(v, 149) || '…' else v end || ')'
  from (select string_agg(value, ', ') as v from json_each_text(j.matrix)) m), '') end`;

export const statements = defineStatements<RunStateRows>({
  findRunRow: `select id, status from pipelines where repository_id = $1 and (id = $2 or number = $3)`,
  findRunStreams: `
    select s.id, s.kind, g.name as stage, j.key as job, ${jobLabel} as job_label, j.name as job_name, j.id as job_id, a.attempt,
           a.attempt = max(a.attempt) over (partition by j.id) as newest,
           s.step, coalesce(t.name, s.service, 'setup') as name,
           coalesce(t.started_at is null and t.name like '%\${{%', false) as unnamed, s.next_offset, s.next_line,
           s.ended or a.state = 'ended' as ended,
           s.ended and coalesce(s.complete, false) as complete
      from log_streams s
      join job_attempts a on a.id = s.attempt_id
      join jobs j on j.id = a.job_id
      join stages g on g.id = j.stage_id
      left join steps t on t.attempt_id = a.id and t.position = s.step
     where s.pipeline_id = $1
     order by g.position, j.position, j.combination, a.attempt, s.position`,
  findRunNodes: `
    select 'step' as node, t.id, t.name, j.key as job, ${jobLabel} as job_label, a.attempt, t.status, t.reason, t.message,
           coalesce(t.finished_at, t.started_at, a.queued_at) as time
      from steps t join job_attempts a on a.id = t.attempt_id join jobs j on j.id = a.job_id
     where t.pipeline_id = $1
    union all
    select 'job', j.id, j.name, j.key, ${jobLabel}, nullif(j.attempts, 0), j.status, j.reason, j.message,
           coalesce(j.finished_at, j.started_at, p.created_at)
      from jobs j join pipelines p on p.id = j.pipeline_id where j.pipeline_id = $1
    union all
    select 'stage', g.id, g.name, null, null, null, g.status, g.reason, g.message,
           coalesce(g.finished_at, g.started_at, p.created_at)
      from stages g join pipelines p on p.id = g.pipeline_id where g.pipeline_id = $1
    union all
    select 'pipeline', p.id, p.name, null, null, null, p.status, p.reason, p.message,
           coalesce(p.finished_at, p.started_at, p.created_at)
      from pipelines p where p.id = $1`,
});

export function findRunRow(
  db: Queryable,
  repositoryId: string,
  { id, number }: { id: string; number: number | null },
): Promise<{ id: string; status: Status } | undefined> {
  return db.one(statements.findRunRow, [repositoryId, id, number]);
}

/** Streams of a run in the order in which a whole log is shown: by stage, job, attempt, then as they run. */
export async function findRunStreams(db: Queryable, pipelineId: string): Promise<RunStream[]> {
  return db.query(statements.findRunStreams, [pipelineId]);
}

/** Status of every step, job and stage and of the run, in this order, so that an end comes after its parts'. */
export async function findRunNodes(db: Queryable, pipelineId: string): Promise<RunNode[]> {
  return db.query(statements.findRunNodes, [pipelineId]);
}
