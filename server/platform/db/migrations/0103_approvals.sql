-- Gates before stages and jobs that wait for people, one row from the moment it is reached, in each sequence of the run.
create table approval_gates (
  id text primary key,
  pipeline_id text not null references pipelines (id) on delete cascade,
  sequence integer not null,
  stage text not null,
  -- Key of the job; null: the gate of the stage.
  job text,
  rule jsonb not null,
  -- Users who may not approve: with `allow_self: false`, who started the run, and the author of the commit.
  excluded text[] not null,
  state text not null default 'open' check (state in ('open', 'approved', 'rejected', 'expired')),
  opened_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  decided_at timestamptz(3),
  unique nulls not distinct (pipeline_id, sequence, stage, job)
);
create table approvals (
  gate_id text not null references approval_gates (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  decision text not null check (decision in ('approve', 'reject')),
  comment text not null default '',
  -- False once the gate was decided without it, because its giver had lost the right.
  counted boolean not null default true,
  decided_at timestamptz(3) not null default now(),
  primary key (gate_id, user_id)
);
create index approvals_by_user on approvals (user_id);
grant select, insert, update on approval_gates, approvals to forgeline_app;
