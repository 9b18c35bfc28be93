-- A repository that is brought over from another host with its issues and merge requests.
create table imports (
  id text primary key,
  repository_id text references repositories (id) on delete set null,
  -- As it was when the import began.
  repository_name text not null,
  source text not null check (source in ('github', 'gitlab')),
  api_url text not null,
  -- Name of the host, for people.
  host text not null,
  source_path text not null,
  include text[] not null,
  -- Login there, in lower case, to user id here.
  users jsonb not null default '{}',
  -- Only while the import runs.
  sealed_token bytea,
  status text not null default 'queued' check (status in ('queued', 'running', 'paused', 'done', 'failed', 'cancelled')),
  -- Of retries: each has a workflow of its own.
  attempt integer not null default 1,
  step text not null,
  page integer not null default 1,
  -- The issue or merge request whose records are read, for steps that go through each.
  item_number integer not null default 0,
  -- What is added to the numbers of merge requests of a host that counts them separately.
  number_offset integer not null default 0,
  -- The last number that was there when the import began; what is newer stays out.
  last_number integer not null default 0,
  progress jsonb not null default '{}',
  left_out integer not null default 0,
  -- Requests that failed in a row.
  failures integer not null default 0,
  resumes_at timestamptz,
  error text,
  created_by text references users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  check (sealed_token is null or status in ('queued', 'running', 'paused'))
);
create index imports_of on imports (created_by, id);
create index imports_into on imports (repository_id) where repository_id is not null;
grant select, insert, update, delete on imports to forgeline_app;

-- What an import has written, by its id there: nothing is written twice, and replies find what they answer.
create table import_items (
  import_id text not null references imports (id) on delete cascade,
  kind text not null,
  source_id text not null,
  local_id text not null,
  primary key (import_id, kind, source_id)
);
grant select, insert, delete on import_items to forgeline_app;

-- What an import has left out or changed, and why.
create table import_notes (
  id bigint generated always as identity primary key,
  import_id text not null references imports (id) on delete cascade,
  kind text not null,
  source_id text not null,
  reason text not null,
  unique (import_id, kind, source_id, reason)
);
grant select, insert, delete on import_notes to forgeline_app;

-- HOST/LOGIN of the author at the host it was imported from; null: it was written here.
alter table work_items add column imported_author text;
alter table comments add column imported_author text;
alter table reviews add column imported_author text;
