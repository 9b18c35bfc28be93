-- Variables that every run of a repository, an organization or the instance has. Environments add a level of their own later.
create table variables (
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
create unique index variables_of_instance on variables (name) where level = 'instance';
create unique index variables_of_organization on variables (organization_id, name) where organization_id is not null;
create unique index variables_of_repository on variables (repository_id, name) where repository_id is not null;
create index variables_of_user on variables (changed_by) where changed_by is not null;
grant select, insert, update, delete on variables to forgeline_app;
