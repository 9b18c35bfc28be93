-- Where a repository is pushed to by itself, and how.
create table push_mirrors (
  id text primary key,
  repository_id text not null references repositories (id) on delete cascade,
  -- Of the target, without credentials.
  target_url text not null,
  -- One of the two.
  interval_minutes integer,
  cron text,
  timezone text,
  refs text[] not null,
  prune boolean not null,
  lfs boolean not null,
  -- No object of before was left out.
  lfs_complete boolean not null default true,
  -- What somebody else has changed at the target is overwritten.
  force boolean not null,
  -- Synced after each push, and not only at its times.
  on_push boolean not null,
  enabled boolean not null,
  disabled_reason text check (disabled_reason in ('transferred', 'restored')),
  username text,
  sealed_password bytea,
  sealed_ssh_key bytea,
  public_key text,
  -- The only one that is accepted; null before the first connection.
  host_key text,
  -- Refs that the last sync left as they are at the target, since somebody else has changed them there: the first of [{ref, here, there}].
  diverged jsonb not null default '[]',
  diverged_count integer not null default 0,
  -- Syncs that failed in a row.
  failures integer not null default 0,
  failing_since timestamptz,
  -- When people were told of this outage.
  alerted_at timestamptz,
  -- No sync that nobody asked for before then.
  not_before timestamptz,
  -- Somebody wants a sync, or has pushed.
  requested text check (requested in ('first', 'manual', 'push')),
  last_success_at timestamptz,
  created_by text references users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (repository_id, target_url),
  check ((interval_minutes is null) <> (cron is null))
);
create index push_mirrors_again on push_mirrors (not_before) where failures > 0 and enabled;
grant select, insert, update, delete on push_mirrors to forgeline_app;

-- What the refs of a target are because of us: everything else there is somebody else's.
create table pushed_refs (
  push_mirror_id text not null references push_mirrors (id) on delete cascade,
  ref text not null,
  -- What it was when it was last the same on both sides; null before that.
  oid text,
  -- What is being pushed, and may have arrived.
  sent_oid text,
  primary key (push_mirror_id, ref)
);
grant select, insert, update, delete on pushed_refs to forgeline_app;

-- Syncs of both kinds of mirrors have one history.
alter table mirror_syncs alter column mirror_id drop not null;
alter table mirror_syncs add column push_mirror_id text references push_mirrors (id) on delete cascade;
alter table mirror_syncs add constraint mirror_syncs_of_one check ((mirror_id is null) <> (push_mirror_id is null));
alter table mirror_syncs drop constraint mirror_syncs_cause_check;
alter table mirror_syncs add constraint mirror_syncs_cause_check check (cause in ('first', 'schedule', 'manual', 'push'));
alter table mirror_syncs drop constraint mirror_syncs_progress_check;
alter table mirror_syncs add constraint mirror_syncs_progress_check
  check (progress in ('connecting', 'receiving', 'checking', 'lfs', 'moving', 'sending'));
create index mirror_syncs_of_push_mirror on mirror_syncs (push_mirror_id, id);
create unique index push_mirror_syncs_running on mirror_syncs (push_mirror_id) where status = 'running';

-- There is no push mirror yet, so nothing that has happened matters to any.
insert into event_followers (name, position) select 'push_mirrors', coalesce(max(position), 0) from events;
