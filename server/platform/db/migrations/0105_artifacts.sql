-- Files that jobs leave behind. A row begins with an upload, is complete once the store has all parts, and is published with the
-- accepted result of its attempt; nobody sees it before. Its objects lie under artifacts/<repository>/<id>/.
create table artifacts (
  id text primary key,
  repository_id text not null references repositories (id) on delete cascade,
  pipeline_id text not null references pipelines (id) on delete cascade,
  job_id text not null references jobs (id) on delete cascade,
  attempt_id text not null references job_attempts (id) on delete cascade,
  epoch integer not null,
  name text not null,
  size_bytes bigint not null check (size_bytes > 0),
  files integer not null check (files > 0),
  expire_ms bigint not null,
  -- SHA-256 of each part in order; empty while it was not announced.
  parts text[] not null,
  -- All bytes that addresses were given for, those of parts that changed too.
  announced_bytes bigint not null default 0,
  -- Of the whole; null until it is complete.
  sha256 text,
  created_at timestamptz not null default now(),
  touched_at timestamptz not null default now(),
  published_at timestamptz,
  expires_at timestamptz,
  removed_at timestamptz,
  unique (attempt_id, epoch, name)
);
create index artifacts_of_run on artifacts (pipeline_id);
create index artifacts_of_job on artifacts (job_id);
create index artifacts_of_repository on artifacts (repository_id, name) where removed_at is null;
create index artifacts_expiring on artifacts (expires_at) where removed_at is null and published_at is not null;
create index artifacts_unpublished on artifacts (touched_at) where published_at is null or removed_at is not null;
grant select, insert, update, delete on artifacts to forgeline_app;
