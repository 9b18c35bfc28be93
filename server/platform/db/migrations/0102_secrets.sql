-- Secrets of pipelines: of the instance, an organization or a repository. A later level adds a column for its owner.
create table secrets (
  id text primary key,
  organization_id text references organizations (id) on delete cascade,
  repository_id text references repositories (id) on delete cascade,
  name text not null,
  -- Patterns; an empty list limits nothing.
  branches text[] not null default '{}',
  tags text[] not null default '{}',
  event_names text[] not null default '{}',
  stage_globs text[] not null default '{}',
  images text[] not null default '{}',
  updated_by text references users (id) on delete set null,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (num_nonnulls(organization_id, repository_id) <= 1)
);
-- The keys of the owners, none for the instance.
create unique index secrets_of_owner on secrets (coalesce(repository_id, organization_id, ''), name);
create index secrets_of_organization on secrets (organization_id) where organization_id is not null;
create index secrets_of_repository on secrets (repository_id) where repository_id is not null;
grant select, insert, update, delete on secrets to forgeline_app;

-- A job keeps the value that it was given: its log must be masked by that, whatever the secret is changed to meanwhile.
create table secret_values (
  id text primary key,
  -- The secret; null once it is deleted.
  parent_id text references secrets (id) on delete set null,
  sealed_value bytea not null,
  -- Of the value itself.
  size_bytes integer not null,
  is_current boolean not null default true,
  created_at timestamptz not null default now()
);
create unique index secret_values_current on secret_values (parent_id) where is_current and parent_id is not null;
create index secret_values_old on secret_values (id) where not is_current or parent_id is null;
grant select, insert, update, delete on secret_values to forgeline_app;

create table secret_uses (
  attempt_id text not null references job_attempts (id) on delete cascade,
  name text not null,
  parent_id text references secrets (id) on delete set null,
  value_id text references secret_values (id) on delete set null,
  used_at timestamptz not null default now(),
  primary key (attempt_id, name)
);
create index secret_uses_of_secret on secret_uses (parent_id, used_at desc) where parent_id is not null;
create index secret_uses_of_value on secret_uses (value_id) where value_id is not null;
grant select, insert, update, delete on secret_uses to forgeline_app;

-- Whose commits a run executes, decided when it is created.
alter table pipelines add column trust text not null default 'own'
  check (trust in ('own', 'fork', 'unknown_author'));
update pipelines set trust = 'unknown_author' where source in ('mirror_sync', 'fork_sync');
