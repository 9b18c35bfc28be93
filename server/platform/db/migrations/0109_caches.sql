-- Files that later runs start with. A row begins with an upload and is seen once it is saved; from then on it never changes. Its
-- objects lie under caches/<repository>/<id>/.
create table caches (
  id text primary key,
  repository_id text not null references repositories (id) on delete cascade,
  -- Whose it is: a ref, all branches (repository), or untrusted commits of a ref (untrusted:<ref>).
  scope text not null,
  key text not null,
  -- SHA-256 of the paths: entries of other paths are never found.
  paths_hash text not null,
  paths text[] not null,
  -- The lease that uploads it, and the number of the cache in the job.
  attempt_id text references job_attempts (id) on delete set null,
  epoch integer not null,
  position integer not null,
  -- SHA-256 and size of each part in order; empty and 0 while it was not announced.
  parts text[] not null default '{}',
  part_bytes integer[] not null default '{}',
  -- Of all parts; while it is uploaded, of all that addresses were given for.
  size_bytes bigint not null default 0,
  created_at timestamptz not null default now(),
  touched_at timestamptz not null default now(),
  saved_at timestamptz,
  last_used_at timestamptz not null default now(),
  removed_at timestamptz,
  unique (attempt_id, epoch, position)
);
-- Entries never change: there is one of a key.
create unique index caches_of_key on caches (repository_id, scope, paths_hash, key)
  where saved_at is not null and removed_at is null;
create index caches_by_use on caches (repository_id, last_used_at) where removed_at is null;
create index caches_removable on caches (touched_at) where saved_at is null or removed_at is not null;
create index caches_unused on caches (last_used_at) where saved_at is not null and removed_at is null;
grant select, insert, update, delete on caches to forgeline_app;

-- What jobs did with their caches: who uses which.
create table cache_uses (
  attempt_id text not null references job_attempts (id) on delete cascade,
  -- Of the cache in the job.
  position integer not null,
  repository_id text not null references repositories (id) on delete cascade,
  pipeline_id text not null references pipelines (id) on delete cascade,
  job_id text not null references jobs (id) on delete cascade,
  key text not null,
  -- What was found, also when that is gone; null: nothing, or it was not looked for.
  restored_id text references caches (id) on delete set null,
  restored_key text,
  restored_bytes bigint,
  -- What was saved; null: nothing.
  saved_id text references caches (id) on delete set null,
  saved_bytes bigint,
  used_at timestamptz not null default now(),
  primary key (attempt_id, position)
);
create index cache_uses_of_run on cache_uses (pipeline_id);
create index cache_uses_of_job on cache_uses (job_id);
create index cache_uses_of_repository on cache_uses (repository_id);
create index cache_uses_restored on cache_uses (restored_id, used_at) where restored_id is not null;
create index cache_uses_saved on cache_uses (saved_id) where saved_id is not null;
grant select, insert, update, delete on cache_uses to forgeline_app;
