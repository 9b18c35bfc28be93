-- Who may touch which repository: organizations and their members, teams with their grants, collaborators. Levels are
-- an enum, so that the greatest of several grants is what PostgreSQL's max() says.
create type repository_level as enum ('read', 'triage', 'write', 'maintain', 'admin');

create table organizations (
  id text primary key references owners (id) on delete cascade,
  display_name text not null default '',
  description text not null default '',
  plan text not null default 'enterprise' check (plan in ('free', 'pro', 'organization', 'enterprise')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table organization_members (
  organization_id text not null references organizations (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  role text not null check (role in ('owner', 'member')),
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);
create index organization_members_user on organization_members (user_id);

-- The organization that a bot belongs to; null for people.
alter table users add column organization_id text references organizations (id) on delete cascade;
alter table users add constraint users_bot_organization check ((type = 'bot') = (organization_id is not null));
create index users_organization on users (organization_id) where organization_id is not null;

create table teams (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  parent_id text references teams (id) on delete restrict,
  name text not null,
  -- Names from the root down, joined by '/': `parent/child`.
  path text not null,
  -- Identifiers from the root down to this team itself: whoever is in this team has the grants of all of them.
  lineage text[] not null,
  description text not null default '',
  visibility text not null default 'visible' check (visibility in ('visible', 'secret')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (lineage[cardinality(lineage)] = id)
);
create unique index teams_path on teams (organization_id, lower(path));
create index teams_parent on teams (parent_id);
create index teams_lineage on teams using gin (lineage);

create table team_members (
  team_id text not null references teams (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  role text not null default 'member' check (role in ('member', 'maintainer')),
  created_at timestamptz not null default now(),
  primary key (team_id, user_id)
);
create index team_members_user on team_members (user_id);

create table team_repositories (
  repository_id text not null references repositories (id) on delete cascade,
  team_id text not null references teams (id) on delete cascade,
  permission repository_level not null,
  created_at timestamptz not null default now(),
  primary key (repository_id, team_id)
);
create index team_repositories_team on team_repositories (team_id);

create table collaborators (
  repository_id text not null references repositories (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  permission repository_level not null,
  created_at timestamptz not null default now(),
  primary key (repository_id, user_id)
);
create index collaborators_user on collaborators (user_id);

-- A token may be limited to repositories and to address ranges; null: no such limit.
alter table access_tokens add column repository_ids text[];
alter table access_tokens add column address_ranges text[];

grant select, insert, update, delete on organizations, organization_members, teams, team_members, team_repositories,
  collaborators to forgeline_app;
