-- What statistics add up: one narrow row for each run that has ended, as it ended last.
create table run_figures (
  pipeline_id text primary key references pipelines (id) on delete cascade,
  repository_id text not null references repositories (id) on delete cascade,
  file text not null,
  ref text not null,
  status text not null check (status in ('success', 'failed', 'error', 'cancelled', 'skipped')),
  ended_at timestamptz not null,
  -- Of the run as it was first: a rerun may come days later. Null where nothing started, or where that is not known any more.
  duration_ms bigint,
  -- How long the job waited for a runner that waited longest; of the first time, as `duration_ms`.
  queue_ms bigint,
  -- Of all attempts of all jobs, those of reruns too.
  runner_ms bigint not null,
  attempts integer not null
);
create index run_figures_repository on run_figures (repository_id, ended_at);
create index run_figures_ended on run_figures (ended_at);
grant select, insert, update, delete on run_figures to forgeline_app;

insert into run_figures
select p.id, p.repository_id, p.file, p.ref, p.status, p.finished_at,
  case when p.sequence = 1 then (extract(epoch from p.finished_at - p.started_at) * 1000)::bigint end,
  case when p.sequence = 1 then a.queue_ms end, coalesce(a.runner_ms, 0), a.attempts
from pipelines p cross join lateral (
  select count(*)::integer as attempts,
    (max(extract(epoch from started_at - queued_at)) * 1000)::bigint as queue_ms,
    (sum(extract(epoch from finished_at - started_at)) * 1000)::bigint as runner_ms
  from job_attempts where pipeline_id = p.id) a
where p.finished_at is not null and p.status in ('success', 'failed', 'error', 'cancelled', 'skipped');

-- Traces of runs that are still to be sent to the endpoint of the operator.
create table run_traces (
  pipeline_id text not null references pipelines (id) on delete cascade,
  -- Each rerun is a trace of its own.
  sequence integer not null,
  -- The run as its event kept it.
  run jsonb not null,
  due_at timestamptz not null default now(),
  tries integer not null default 0,
  created_at timestamptz not null default now(),
  primary key (pipeline_id, sequence)
);
create index run_traces_due on run_traces (due_at);
grant select, insert, update, delete on run_traces to forgeline_app;

insert into event_followers (name, position) select 'runs', coalesce(max(position), 0) from events;

-- Deliveries of an event: traces of runs link to them.
create index webhook_deliveries_event on webhook_deliveries (event_position);
