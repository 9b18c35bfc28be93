-- Runs that no user started: a schedule did, or a sync of a mirror.
alter table pipelines alter column triggered_by drop not null;
alter table pipelines drop constraint pipelines_source_check;
alter table pipelines add constraint pipelines_source_check
  check (source in ('push', 'tag', 'merge_request', 'api', 'schedule', 'manual', 'mirror_sync', 'fork_sync'));

-- Whether syncs may start runs, where the file wants it.
alter table repositories add column mirror_sync_pipelines boolean not null default false;
alter table repositories add column fork_sync_pipelines boolean not null default false;

create table pipeline_schedules (
  id text primary key,
  repository_id text not null references repositories (id) on delete cascade,
  source text not null check (source in ('file', 'manual')),
  -- Of `file`: the one that lists it. Of `manual`: the one to run; null for the only one.
  file text check (source = 'manual' or file is not null),
  name text not null,
  cron text not null,
  timezone text not null,
  -- Null: the default branch.
  ref text,
  variables jsonb not null default '{}',
  inputs jsonb not null default '{}',
  if_missed text not null check (if_missed in ('skip', 'run_once')),
  enabled boolean not null,
  -- Why it is off although nobody turned it off. `owner`: who owns it may not start runs here any more; the others: it came with what
  -- people wrote who may have no rights here.
  disabled_reason text check (disabled_reason in ('owner', 'mirror', 'fork')),
  -- With whose rights it starts runs.
  owner_id text references users (id) on delete set null,
  -- Null while it is off.
  next_at timestamptz,
  -- Starts that failed in a row.
  failures integer not null default 0,
  alerted_at timestamptz,
  -- Unexpected problems with the current time, and until when it is left alone.
  tries integer not null default 0,
  not_before timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (enabled = (next_at is not null))
);
create unique index pipeline_schedules_file on pipeline_schedules (repository_id, file, name) where source = 'file';
create unique index pipeline_schedules_manual on pipeline_schedules (repository_id, name) where source = 'manual';
create index pipeline_schedules_due on pipeline_schedules (next_at) where next_at is not null;
grant select, insert, update, delete on pipeline_schedules to forgeline_app;

alter table pipelines add column schedule_id text references pipeline_schedules (id) on delete set null;
create index pipelines_of_schedule on pipelines (schedule_id) where schedule_id is not null;

-- What became of times of schedules, and of requests to run one now; removed after 90 days.
create table schedule_runs (
  id bigint generated always as identity primary key,
  schedule_id text not null references pipeline_schedules (id) on delete cascade,
  -- `missed`: it stands for times that passed while nothing could start.
  cause text not null check (cause in ('schedule', 'missed', 'manual')),
  status text not null check (status in ('started', 'skipped', 'failed')),
  due_at timestamptz not null,
  -- Times that passed before without a run.
  missed integer not null default 0,
  pipeline_id text references pipelines (id) on delete set null,
  -- Who asked for it; null for the schedule.
  user_id text references users (id) on delete set null,
  error text,
  created_at timestamptz not null default now()
);
create index schedule_runs_of_schedule on schedule_runs (schedule_id, id);
create index schedule_runs_of_pipeline on schedule_runs (pipeline_id);
create index schedule_runs_old on schedule_runs (created_at);
grant select, insert, delete on schedule_runs to forgeline_app;

-- Repositories whose pipeline files are to be read again for their schedules.
create table schedule_marks (
  repository_id text primary key references repositories (id) on delete cascade,
  -- Rises with each mark, so that one made meanwhile is not lost.
  wanted bigint not null default 1,
  -- Who pushed last; null where nobody did who has rights here.
  user_id text references users (id) on delete set null,
  -- Where it came from.
  origin text not null check (origin in ('push', 'mirror', 'fork')),
  due_at timestamptz not null default now()
);
create index schedule_marks_due on schedule_marks (due_at);
grant select, insert, update, delete on schedule_marks to forgeline_app;

insert into event_followers (name, position) select 'schedules', coalesce(max(position), 0) from events;
