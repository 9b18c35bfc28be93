-- A query that a repository keeps under a name, for everybody who reads its lists.
create table repository_filters (
  id text primary key,
  repository_id text not null references repositories (id) on delete cascade,
  kind text not null check (kind in ('issue', 'merge_request')),
  name text not null check (length(name) between 1 and 100),
  query text not null check (length(query) between 1 and 500),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index repository_filters_name on repository_filters (repository_id, kind, lower(name));
grant select, insert, update, delete on repository_filters to forgeline_app;

-- Whether whoever asked for a merge by itself could have pushed with that credential. Of earlier ones nobody knows: they stay as they were.
alter table merge_request_auto_merges add column may_push boolean not null default true;
