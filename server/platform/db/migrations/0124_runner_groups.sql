-- Groups of runners, of the instance or of one organization, which only chosen owners or repositories may use.
create table runner_groups (
  id text primary key,
  -- Null: of the instance.
  organization_id text references organizations (id) on delete cascade,
  name text not null,
  description text not null default '',
  -- With `selected`, jobs of what `runner_group_access` names, and of nothing else.
  access text not null default 'all' check (access in ('all', 'selected')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index runner_groups_name on runner_groups (coalesce(organization_id, ''), lower(name));
create index runner_groups_organization on runner_groups (organization_id) where organization_id is not null;
grant select, insert, update, delete on runner_groups to forgeline_app;

create table runner_group_access (
  group_id text not null references runner_groups (id) on delete cascade,
  -- All repositories of a user or an organization, later ones too. One of the two is given.
  owner_id text references owners (id) on delete cascade,
  repository_id text references repositories (id) on delete cascade,
  check ((owner_id is null) <> (repository_id is null))
);
-- A claim goes from one repository of a group to the next by the first of these.
create unique index runner_group_access_repository on runner_group_access (group_id, repository_id) where repository_id is not null;
create unique index runner_group_access_owner on runner_group_access (group_id, owner_id) where owner_id is not null;
create index runner_group_access_of_repository on runner_group_access (repository_id) where repository_id is not null;
create index runner_group_access_of_owner on runner_group_access (owner_id) where owner_id is not null;
grant select, insert, delete on runner_group_access to forgeline_app;

-- Null: in no group. A group with runners is not deleted; what is set to null are runners that were removed before.
alter table runners add column group_id text references runner_groups (id) on delete set null;
create index runners_group on runners (group_id) where group_id is not null;
alter table runner_registration_tokens add column group_id text references runner_groups (id) on delete cascade;
