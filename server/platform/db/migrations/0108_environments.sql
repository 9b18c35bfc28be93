-- Environments: what jobs deploy to, with protection, history, variables and secrets of their own.
create table environments (
  id text primary key,
  repository_id text not null references repositories (id) on delete cascade,
  name text not null,
  -- Protection. Patterns; with neither branches nor tags, runs of any ref may deploy.
  branches text[] not null default '{}',
  tags text[] not null default '{}',
  -- Users, and teams as ORG/TEAM; empty: everyone with Write.
  approvers text[] not null default '{}',
  -- How many have to approve; 0: nobody.
  approval_count integer not null default 0 check (approval_count between 0 and 10),
  allow_self boolean not null default true,
  wait_minutes integer not null default 0 check (wait_minutes between 0 and 43200),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index environments_of_repository on environments (repository_id, lower(name));
grant select, insert, update, delete on environments to forgeline_app;

-- One row for each attempt of a job that deploys. How it went is in the attempt.
create table deployments (
  id text primary key,
  environment_id text not null references environments (id) on delete cascade,
  attempt_id text not null unique references job_attempts (id) on delete cascade,
  -- Who started the run, or ran the job again; null if nobody did, or the user is gone.
  actor_id text references users (id) on delete set null,
  url text,
  -- The deployment of the same job that this one repeats, when somebody rolled back to it.
  repeats_id text references deployments (id) on delete set null,
  created_at timestamptz(3) not null default now()
);
create index deployments_of_environment on deployments (environment_id, created_at desc, id desc);
create index deployments_of_actor on deployments (actor_id) where actor_id is not null;
create index deployments_repeated on deployments (repeats_id) where repeats_id is not null;
grant select, insert, update, delete on deployments to forgeline_app;

-- Gates of environments stand beside those that the file asks for.
alter table approval_gates
  -- Its name; null: the gate is the file's.
  add column environment text,
  -- Null beside a name: it was deleted.
  add column environment_id text references environments (id) on delete set null,
  -- It lets nothing through before.
  add column wait_until timestamptz(3);
alter table approval_gates drop constraint approval_gates_pipeline_id_sequence_stage_job_key;
create unique index approval_gates_of_place on approval_gates (pipeline_id, sequence, stage, job, environment) nulls not distinct;
create index approval_gates_of_environment on approval_gates (environment_id) where environment_id is not null;

-- A level of variables, between the repository's and those of the run.
alter table shared_variables add column environment_id text references environments (id) on delete cascade;
alter table shared_variables drop constraint shared_variables_level_check;
alter table shared_variables add constraint shared_variables_level_check
  check (level in ('instance', 'organization', 'repository', 'environment'));
alter table shared_variables add check ((level = 'environment') = (environment_id is not null));
create unique index shared_variables_of_environment on shared_variables (environment_id, name) where environment_id is not null;

-- A level of secrets, before the repository's; and a limit of those of any level.
alter table secrets add column environment_id text references environments (id) on delete cascade;
alter table secrets add column environments text[] not null default '{}';
alter table secrets drop constraint secrets_check;
alter table secrets add constraint secrets_check check (num_nonnulls(organization_id, repository_id, environment_id) <= 1);
drop index secrets_of_owner;
create unique index secrets_of_owner on secrets (coalesce(environment_id, repository_id, organization_id, ''), name);
create index secrets_of_environment on secrets (environment_id) where environment_id is not null;
