-- Why refs moved: somebody pushed, or a sync of a mirror took them from its source. Only syncs have no user.
alter table pushes add column cause text not null default 'push' check (cause in ('push', 'mirror_sync'));
alter table pushes drop constraint pushes_pusher;
alter table pushes add constraint pushes_pusher check (user_id is not null or state = 'recorded' or cause <> 'push');

-- Follows an external repository: nobody pushes to it.
alter table repositories add column mirror boolean not null default false;

-- What a repository mirrors, and how.
create table mirrors (
  id text primary key,
  repository_id text not null unique references repositories (id) on delete cascade,
  -- Of the source, without credentials.
  source_url text not null,
  -- One of the two.
  interval_minutes integer,
  cron text,
  timezone text,
  refs text[] not null,
  prune boolean not null,
  lfs boolean not null,
  -- No object of before was left out.
  lfs_complete boolean not null default true,
  enabled boolean not null,
  disabled_reason text check (disabled_reason in ('transferred')),
  username text,
  sealed_password bytea,
  sealed_ssh_key bytea,
  public_key text,
  -- The only one that is accepted; null before the first connection.
  host_key text,
  -- Refs of before it was a mirror were not replaced yet.
  replaces boolean not null default false,
  -- Syncs that failed in a row.
  failures integer not null default 0,
  failing_since timestamptz,
  -- When people were told of this outage.
  alerted_at timestamptz,
  -- Scheduled syncs are skipped until then.
  not_before timestamptz,
  -- Somebody wants a sync, whatever the schedule says.
  requested text check (requested in ('first', 'manual')),
  last_success_at timestamptz,
  created_by text references users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((interval_minutes is null) <> (cron is null))
);
grant select, insert, update, delete on mirrors to forgeline_app;

-- Syncs of a mirror; removed after 30 days.
create table mirror_syncs (
  id text primary key,
  mirror_id text not null references mirrors (id) on delete cascade,
  status text not null default 'running' check (status in ('running', 'succeeded', 'failed', 'cancelled')),
  cause text not null check (cause in ('first', 'schedule', 'manual')),
  -- The workflow's run that does it.
  work text not null,
  progress text check (progress in ('connecting', 'receiving', 'checking', 'lfs', 'moving')),
  changed_refs integer not null default 0,
  bytes bigint not null default 0,
  lfs_count integer not null default 0,
  -- The first of what changed: [{ref, change, before, after}].
  refs jsonb not null default '[]',
  notes text[] not null default '{}',
  error text,
  started_at timestamptz not null default now(),
  finished_at timestamptz
);
create index mirror_syncs_of_mirror on mirror_syncs (mirror_id, id);
create unique index mirror_syncs_running on mirror_syncs (mirror_id) where status = 'running';
create index mirror_syncs_old on mirror_syncs (finished_at);
grant select, insert, update, delete on mirror_syncs to forgeline_app;

-- Objects that a sync took a ref from, each kept by a ref that only the server reads.
create table kept_objects (
  repository_id text not null references repositories (id) on delete cascade,
  oid text not null,
  -- Null: as long as the repository is a mirror, and 30 days more.
  until timestamptz,
  primary key (repository_id, oid)
);
create index kept_objects_until on kept_objects (until);
grant select, insert, update, delete on kept_objects to forgeline_app;
