-- Refs also move because a fork was synced with its upstream; that has a user, whose rights count.
alter table pushes drop constraint pushes_cause_check;
alter table pushes add constraint pushes_cause_check check (cause in ('push', 'mirror_sync', 'fork_sync'));

-- Syncs of forks with their upstream; removed after 30 days.
create table fork_syncs (
  id text primary key,
  repository_id text not null references repositories (id) on delete cascade,
  cause text not null check (cause in ('manual', 'schedule')),
  -- Null: every branch that both have.
  branch text,
  -- For whom it writes and reads; a sync whose user is gone fails.
  user_id text references users (id) on delete set null,
  status text not null default 'waiting' check (status in ('waiting', 'running', 'up_to_date', 'fast_forwarded', 'merged', 'conflict', 'failed', 'cancelled')),
  -- [{name, before, after, behind, ahead}]
  branches jsonb not null default '[]',
  -- [{branch, paths}]
  conflicts jsonb not null default '[]',
  error text,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index fork_syncs_of_repository on fork_syncs (repository_id, id);
create unique index fork_syncs_open on fork_syncs (repository_id) where status in ('waiting', 'running');
create index fork_syncs_old on fork_syncs (finished_at);
grant select, insert, update, delete on fork_syncs to forgeline_app;

-- Syncs of forks that begin by themselves.
create table fork_schedules (
  repository_id text primary key references repositories (id) on delete cascade,
  branch text,
  -- One of the two.
  interval_minutes integer,
  cron text,
  timezone text,
  enabled boolean not null,
  disabled_reason text check (disabled_reason in ('transferred', 'owner', 'upstream')),
  -- Who set it up, for whom its syncs write and read.
  owner_id text references users (id) on delete set null,
  -- Syncs that failed in a row.
  failures integer not null default 0,
  failing_since timestamptz,
  alerted_at timestamptz,
  -- Scheduled syncs are skipped until then.
  not_before timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((interval_minutes is null) <> (cron is null))
);
grant select, insert, update, delete on fork_schedules to forgeline_app;
