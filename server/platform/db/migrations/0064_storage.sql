-- What each repository takes: measured in the background, soon after whatever changes it and now and then besides.
create table repository_measurements (
  repository_id text primary key references repositories (id) on delete cascade,
  -- Whoever measures moves it ahead first, so that one server at a time does.
  due_at timestamptz not null,
  -- Null until the first time.
  measured_at timestamptz,
  -- When a measurement last found something else than the one before.
  changed_at timestamptz not null default now(),
  git_bytes bigint not null default 0,
  log_bytes bigint not null default 0,
  total_bytes bigint generated always as (git_bytes + log_bytes) stored
);
create index repository_measurements_due on repository_measurements (due_at);
create index repository_measurements_total on repository_measurements (total_bytes desc, repository_id);
insert into repository_measurements (repository_id, due_at) select id, now() from repositories;
grant select, insert, update, delete on repository_measurements to forgeline_app;
