-- A fork stays one when its upstream is gone.
alter table repositories
  add column forked boolean not null default false,
  add column upstream_id text references repositories (id) on delete set null,
  add constraint repositories_upstream_of_fork check (upstream_id is null or forked);
create index repositories_upstream on repositories (upstream_id, id desc) where upstream_id is not null;
