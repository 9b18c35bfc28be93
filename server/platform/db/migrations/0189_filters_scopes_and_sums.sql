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

-- Attachments of a repository are in what it takes.
alter table repository_measurements add column attachment_bytes bigint not null default 0;
alter table repository_measurements
  alter column total_bytes set expression as (git_bytes + log_bytes + lfs_bytes + attachment_bytes);

-- Who brought it here with an issue or a discussion of another place: they may delete it, whoever uploaded it there.
alter table attachments add column brought_by_id text references users (id) on delete set null;
create index attachments_brought_by on attachments (brought_by_id) where brought_by_id is not null;
