-- The spine: people and tokens, repositories and pushes, runs and their parts, runners and leases, logs,
-- outbox, audit. Times are timestamptz; identifiers are the public ones (prefix + ULID).
-- Two roles: the owner migrates, the application role (forgeline_app) reads and writes rows.

create table owners (
  id text primary key,
  name text not null,
  kind text not null check (kind in ('user', 'org'))
);
create unique index owners_name on owners (lower(name));

create table users (
  id text primary key references owners (id),
  username text not null,
  display_name text not null default '',
  email text not null default '',
  type text not null default 'user' check (type in ('user', 'bot')),
  plan text not null default 'enterprise',
  is_admin boolean not null default false,
  suspended boolean not null default false,
  password_hash text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table access_tokens (
  id text primary key,
  user_id text not null references users (id),
  name text not null,
  -- SHA-256 of the whole token; tokens are 256 random bits, so no salt is needed.
  token_hash bytea not null unique,
  scopes text[] not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);
create index access_tokens_user on access_tokens (user_id, created_at desc);

create table repositories (
  id text primary key,
  owner_id text not null references owners (id),
  name text not null,
  description text not null default '',
  visibility text not null default 'private' check (visibility in ('private', 'internal', 'public')),
  default_branch text not null default 'main',
  archived boolean not null default false,
  public_pipelines boolean not null default true,
  next_pipeline_number integer not null default 1,
  size_kb bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index repositories_name on repositories (owner_id, lower(name));

-- One row a push: written as an intent before any ref moves, confirmed after; an unconfirmed one is compared
-- with the refs at start. `updates` is [{ref, before, after}].
create table pushes (
  id text primary key,
  repository_id text not null references repositories (id) on delete cascade,
  user_id text not null references users (id),
  updates jsonb not null,
  options text[] not null default '{}',
  state text not null default 'intended' check (state in ('intended', 'recorded', 'refused')),
  created_at timestamptz not null default now(),
  recorded_at timestamptz
);
create index pushes_open on pushes (created_at) where state = 'intended';

create table pipelines (
  id text primary key,
  repository_id text not null references repositories (id) on delete cascade,
  number integer not null,
  -- Names the event that made it, so that handling an event twice makes one run: push id + ref + file.
  origin text unique,
  file text not null,
  name text not null default '',
  source text not null check (source in ('push', 'tag', 'merge_request', 'api', 'schedule', 'manual')),
  ref text not null,
  sha text not null,
  event jsonb not null,
  -- The compiled plan and the text it came from; reruns use the plan as it stands here.
  plan jsonb,
  config_text text,
  diagnostics jsonb not null default '[]',
  variables jsonb not null default '{}',
  inputs jsonb not null default '{}',
  triggered_by text not null references users (id),
  status text not null default 'created',
  reason text,
  message text,
  warnings integer not null default 0,
  -- 1 for the first run, one more for each rerun; part of the workflow's id.
  sequence integer not null default 1,
  cancel_reason text,
  -- Rises with every visible change of the run or its parts; the ETag of the run.
  version bigint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  unique (repository_id, number)
);
create index pipelines_list on pipelines (repository_id, number desc);
create index pipelines_open on pipelines (status) where finished_at is null;

create table stages (
  id text primary key,
  pipeline_id text not null references pipelines (id) on delete cascade,
  position integer not null,
  name text not null,
  title text,
  status text not null default 'created',
  reason text,
  message text,
  warnings integer not null default 0,
  started_at timestamptz,
  finished_at timestamptz,
  unique (pipeline_id, position)
);

create table jobs (
  id text primary key,
  pipeline_id text not null references pipelines (id) on delete cascade,
  stage_id text not null references stages (id) on delete cascade,
  repository_id text not null,
  position integer not null,
  key text not null,
  name text not null,
  status text not null default 'created',
  reason text,
  message text,
  -- The failure was one that `allow_failure` allows.
  failure_allowed boolean not null default false,
  outputs jsonb not null default '{}',
  attempts integer not null default 0,
  started_at timestamptz,
  finished_at timestamptz,
  unique (pipeline_id, key)
);

-- Every try of a job, and at the same time the queue that runners claim from and the lease that a runner holds.
-- state: queued → offered → leased → ended; offered falls back to queued when refused or silent.
create table job_attempts (
  id text primary key,
  job_id text not null references jobs (id) on delete cascade,
  pipeline_id text not null references pipelines (id) on delete cascade,
  repository_id text not null,
  attempt integer not null,
  state text not null default 'queued' check (state in ('queued', 'offered', 'leased', 'ended')),
  status text not null default 'queued',
  reason text,
  message text,
  exit_code integer,
  outputs jsonb not null default '{}',
  warnings text[] not null default '{}',
  -- Labels that a runner must all have, and the job as it is to be executed (templates of job level evaluated).
  labels text[] not null,
  job jsonb not null,
  -- Rises at each offer and at each reclaim; what carries an older one is refused.
  epoch integer not null default 0,
  runner_id text,
  offer_expires_at timestamptz,
  lease_renewed_at timestamptz,
  unreachable boolean not null default false,
  -- Set when the first step began: from here on `rerun_if_lost: false` forbids another run.
  begun boolean not null default false,
  -- Someone asked the runner to stop: {reason, message, status, force, at}; repeated until done or given up.
  cancel jsonb,
  token_hash bytea unique,
  log_complete boolean,
  queued_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  unique (job_id, attempt)
);
create index job_attempts_queue on job_attempts (repository_id, queued_at, id) where state = 'queued';
create index job_attempts_held on job_attempts (runner_id) where state in ('offered', 'leased');
create index job_attempts_running on job_attempts (repository_id) where state in ('offered', 'leased');
create index job_attempts_pipeline on job_attempts (pipeline_id);

create table steps (
  id text primary key,
  attempt_id text not null references job_attempts (id) on delete cascade,
  pipeline_id text not null,
  position integer not null,
  name text not null,
  status text not null default 'created',
  reason text,
  message text,
  exit_code integer,
  timeout_ms bigint,
  idle_timeout_ms bigint,
  started_at timestamptz,
  finished_at timestamptz,
  unique (attempt_id, position)
);

-- The history of a run: one row a status change, written with the change.
create table transitions (
  id bigint generated always as identity primary key,
  pipeline_id text not null references pipelines (id) on delete cascade,
  node text not null check (node in ('pipeline', 'stage', 'job', 'attempt', 'step')),
  node_id text not null,
  attempt integer,
  old_status text,
  new_status text not null,
  reason text,
  message text,
  actor text,
  at timestamptz not null default now()
);
create index transitions_pipeline on transitions (pipeline_id, id);

create table runners (
  id text primary key,
  name text not null,
  -- Null for an instance runner; else the repository that alone may use it.
  repository_id text references repositories (id) on delete cascade,
  credential_hash bytea not null unique,
  labels text[] not null default '{}',
  -- Labels as the queue compares them: each `key=value` also as `key=*`.
  match_labels text[] not null default '{}',
  capacity integer not null default 1,
  version text not null default '',
  os text not null default '',
  arch text not null default '',
  hostname text not null default '',
  paused boolean not null default false,
  draining boolean not null default false,
  revoked_at timestamptz,
  -- The live connection, if any: which process of the runner, on which API server.
  instance_id text,
  server_id text,
  connected_at timestamptz,
  last_seen_at timestamptz,
  load real,
  free_disk_bytes bigint,
  created_by text references users (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table runner_registration_tokens (
  id text primary key,
  token_hash bytea not null unique,
  repository_id text references repositories (id) on delete cascade,
  uses_left integer not null,
  expires_at timestamptz not null,
  created_by text not null references users (id),
  created_at timestamptz not null default now()
);

-- One stream a step, a service or a set-up phase of an attempt. Bytes live in log_chunks (open tail) and, once a
-- segment is full or the stream has ended, in object storage.
create table log_streams (
  id text primary key,
  attempt_id text not null references job_attempts (id) on delete cascade,
  pipeline_id text not null,
  kind text not null check (kind in ('setup', 'step', 'service')),
  step integer,
  service text,
  position integer not null,
  channel integer not null,
  next_offset bigint not null default 0,
  next_line bigint not null default 0,
  last_output_at timestamptz,
  ended boolean not null default false,
  -- From log_eof: what the runner says the whole stream is; null until then or when it was cut short.
  total_bytes bigint,
  total_lines bigint,
  sha256 text,
  dropped_bytes bigint not null default 0,
  dropped_lines bigint not null default 0,
  complete boolean,
  created_at timestamptz not null default now()
);
create unique index log_streams_attempt on log_streams (attempt_id, channel);
create index log_streams_pipeline on log_streams (pipeline_id);

create table log_chunks (
  stream_id text not null references log_streams (id) on delete cascade,
  start_offset bigint not null,
  end_offset bigint not null,
  first_line bigint not null,
  -- [[lines, timeMs], …] of the lines that begin in this chunk.
  time_runs jsonb not null,
  compressed boolean not null,
  bytes bytea not null,
  primary key (stream_id, start_offset)
);
alter table log_chunks alter column bytes set storage external;

create table log_segments (
  stream_id text not null references log_streams (id) on delete cascade,
  start_offset bigint not null,
  end_offset bigint not null,
  first_line bigint not null,
  next_line bigint not null,
  object_key text not null,
  stored_bytes bigint not null,
  -- Blocks inside the object: [{raw, stored, line}], so that a range read fetches only what it needs.
  index jsonb not null,
  primary key (stream_id, start_offset)
);

-- Work for other systems, written with the data it follows from; the relay hands it on at least once.
create table outbox (
  id bigint generated always as identity primary key,
  kind text not null,
  -- Items of one key are handed over one after the other, in order of id.
  key text not null,
  repository_id text,
  payload jsonb not null,
  attempts integer not null default 0,
  not_before timestamptz not null default now(),
  last_error text,
  parked boolean not null default false,
  created_at timestamptz not null default now()
);
create index outbox_due on outbox (id) where not parked;
create index outbox_key on outbox (key, id) where not parked;

-- Append only: the application role may insert and read, and a trigger refuses the rest to everyone.
create table audit_log (
  seq bigint generated always as identity,
  id text not null,
  at timestamptz not null default now(),
  actor_id text,
  actor_username text not null,
  ip_address text,
  action text not null,
  target_type text not null,
  target_id text not null,
  target_name text not null,
  details jsonb not null default '{}',
  user_agent text,
  request_id text,
  primary key (seq)
);
create index audit_log_target on audit_log (target_id, seq desc);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change();

-- Up-time of servers, a row each: leases count only time in which some server was up.
create table server_heartbeats (
  server_id text primary key,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);
create table server_uptime (
  only_row boolean primary key default true check (only_row),
  -- Last moment at which any server was seen, and the end of the last gap without one.
  seen_at timestamptz not null default now(),
  up_since timestamptz not null default now()
);
insert into server_uptime default values;

grant select, insert, update, delete on all tables in schema public to forgeline_app;
revoke update, delete on audit_log from forgeline_app;
grant usage on all sequences in schema public to forgeline_app;
