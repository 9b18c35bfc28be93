-- Variables that every run of a repository, an organization or the instance has. Environments add a level of their own later.
create table shared_variables (
  id bigint generated always as identity primary key,
  level text not null check (level in ('instance', 'organization', 'repository')),
  organization_id text references organizations (id) on delete cascade,
  repository_id text references repositories (id) on delete cascade,
  name text not null,
  value text not null,
  -- Who changed it last; null if the user is gone.
  changed_by text references users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((level = 'organization') = (organization_id is not null)),
  check ((level = 'repository') = (repository_id is not null))
);
create unique index shared_variables_of_instance on shared_variables (name) where level = 'instance';
create unique index shared_variables_of_organization on shared_variables (organization_id, name) where organization_id is not null;
create unique index shared_variables_of_repository on shared_variables (repository_id, name) where repository_id is not null;
create index shared_variables_of_user on shared_variables (changed_by) where changed_by is not null;
grant select, insert, update, delete on shared_variables to forgeline_app;
