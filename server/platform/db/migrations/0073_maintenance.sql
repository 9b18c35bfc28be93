-- Upkeep of repositories: what was done last, what was asked for, and what a check found.
create table repository_maintenance (
  repository_id text primary key references repositories (id) on delete cascade,
  requested_at timestamptz(3),
  -- The next round drops what no ref reaches.
  prune_requested boolean not null default false,
  started_at timestamptz(3),
  -- When it was last tried, however that ended.
  maintained_at timestamptz(3),
  -- When everything went into one pack.
  repacked_at timestamptz(3),
  pruned_at timestamptz(3),
  -- While it is in the future, no push is let in.
  pruning_until timestamptz(3),
  checked_at timestamptz(3),
  -- Why the last try failed; null when it did not.
  problem text,
  -- What the last check found.
  damage text[] not null default '{}',
  loose_objects integer not null default 0,
  packs integer not null default 0
);
create index repository_maintenance_damaged on repository_maintenance (repository_id) where damage <> '{}';
grant select, insert, update on repository_maintenance to forgeline_app;
-- A push asks whether one of the same repository is under way.
create index pushes_intended on pushes (repository_id) where state = 'intended';
