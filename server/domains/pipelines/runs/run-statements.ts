/** The one statement that saves a changed run: rows, new attempts with their steps, history, version. */
export const saveRunStatement = `
with changed_stages as (
  update stages t set status = c.status, reason = c.reason, message = c.message, warnings = c.warnings,
    started_at = case when c.started then coalesce(t.started_at, now()) else t.started_at end,
    finished_at = case when c.final then coalesce(t.finished_at, now()) end
  from jsonb_to_recordset($8::jsonb) as c(id text, status text, reason text, message text, warnings int,
    started boolean, final boolean)
  where t.id = c.id
), changed_jobs as (
  update jobs t set status = c.status, reason = c.reason, message = c.message, failure_allowed = c.allowed,
    attempts = c.attempts,
    started_at = case when c.started then coalesce(t.started_at, now()) else t.started_at end,
    finished_at = case when c.final then coalesce(t.finished_at, now()) end
  from jsonb_to_recordset($9::jsonb) as c(id text, status text, reason text, message text, allowed boolean,
    attempts int, started boolean, final boolean)
  where t.id = c.id
), run as (
  update pipelines set status = $2, reason = $3, message = $4, warnings = $5,
    started_at = case when $6 then coalesce(started_at, now()) else started_at end,
    finished_at = case when $7 then coalesce(finished_at, now()) end,
    version = version + 1, updated_at = now()
  where id = $1 returning id, repository_id
), attempts as (
  insert into job_attempts (id, job_id, pipeline_id, repository_id, attempt, labels, job)
  select c.id, c.job_id, run.id, run.repository_id, c.attempt, c.labels, c.job
  from run, jsonb_to_recordset($10::jsonb) as c(id text, job_id text, attempt int, labels text[], job jsonb)
), attempt_steps as (
  insert into steps (id, attempt_id, pipeline_id, position, name, timeout_ms, idle_timeout_ms)
  select c.id, c.attempt_id, $1, c.position, c.name, c.timeout_ms, c.idle_timeout_ms
  from jsonb_to_recordset($11::jsonb) as c(id text, attempt_id text, position int, name text, timeout_ms bigint,
    idle_timeout_ms bigint)
)
insert into transitions (pipeline_id, node, node_id, attempt, old_status, new_status, reason, message, actor)
select $1, c.node, c.id, c.attempt, c.old, c.new, c.reason, c.message, $13
from rows from (jsonb_to_recordset($12::jsonb) as (node text, id text, attempt int, old text, new text, reason text,
  message text)) with ordinality as c(node, id, attempt, old, new, reason, message, n)
order by c.n`;
