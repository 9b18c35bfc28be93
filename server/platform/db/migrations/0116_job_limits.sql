-- Repositories whose jobs may be privileged, as administrators of the instance decided.
create table privileged_repositories (
  repository_id text primary key references repositories (id) on delete cascade,
  allowed_by text references users (id) on delete set null,
  allowed_at timestamptz not null default now()
);
create index privileged_repositories_by_user on privileged_repositories (allowed_by);
grant select, insert, update, delete on privileged_repositories to forgeline_app;
