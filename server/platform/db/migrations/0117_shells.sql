-- Shells that people open in jobs. What was seen in one is a log of its attempt.
alter table log_streams drop constraint log_streams_kind_check;
alter table log_streams add constraint log_streams_kind_check check (kind in ('setup', 'step', 'service', 'shell'));

create table shells (
  id text primary key,
  pipeline_id text not null references pipelines (id) on delete cascade,
  job_id text not null references jobs (id) on delete cascade,
  attempt_id text not null references job_attempts (id) on delete cascade,
  -- Who opened it; null once that user is gone.
  user_id text references users (id) on delete set null,
  -- Whose rights are asked while it is open.
  actor jsonb not null,
  stream_id text not null,
  ticket_hash bytea not null,
  state text not null check (state in ('asked', 'connected', 'running', 'ended')),
  columns integer not null,
  rows integer not null,
  asked_at timestamptz not null default now(),
  running_at timestamptz,
  -- When the server that has this end last said so.
  viewer_seen_at timestamptz,
  runner_seen_at timestamptz,
  ended_at timestamptz,
  end_reason text,
  end_message text,
  exit_code integer
);
create index shells_open on shells (attempt_id) where state <> 'ended';
create index shells_pipeline on shells (pipeline_id);
create index shells_job on shells (job_id);
create index shells_attempt on shells (attempt_id);
create index shells_user on shells (user_id);
grant select, insert, update, delete on shells to forgeline_app;

-- What is on its way between two server processes: at most one parcel for each end. Worthless after a crash, when its shell has ended.
create unlogged table shell_parcels (
  shell_id text not null,
  recipient text not null check (recipient in ('viewer', 'runner')),
  frames bytea not null,
  primary key (shell_id, recipient)
);
grant select, insert, delete on shell_parcels to forgeline_app;

-- Whether people may open shells in jobs that were given secrets and deploy to it.
alter table environments add column allow_shell boolean not null default false;

-- Whether its container is kept for a shell when the job fails, and until when that of an attempt is.
alter table jobs add column keep_open boolean not null default false;
alter table job_attempts add column kept_until timestamptz;
