-- Settings of repositories: topics, earlier names that lead to the present one, deletion that can be undone.
alter table repositories add column topics text[] not null default '{}';
-- Deleted is what nobody sees; it can be restored for a week, then it is removed for good.
alter table repositories add column deleted_at timestamptz;
alter table collaborators add column updated_at timestamptz not null default now();

-- The name of a deleted repository is free again.
create unique index repositories_live_name on repositories (owner_id, lower(name)) where deleted_at is null;
drop index repositories_name;
create index repositories_owner on repositories (owner_id);
create index repositories_shared_name on repositories (owner_id, lower(name))
  where deleted_at is null and visibility <> 'private';
create index repositories_deleted on repositories (deleted_at) where deleted_at is not null;

-- A name that a repository had, until another repository takes it.
create table repository_redirects (
  owner_id text not null references owners (id) on delete cascade,
  name text not null,
  repository_id text not null references repositories (id) on delete cascade,
  created_at timestamptz not null default now()
);
create unique index repository_redirects_name on repository_redirects (owner_id, lower(name));
create index repository_redirects_repository on repository_redirects (repository_id);

grant select, insert, update, delete on repository_redirects to forgeline_app;
