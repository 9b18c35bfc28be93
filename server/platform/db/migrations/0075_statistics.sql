-- What the dashboard of a repository shows, computed by workers from its default branch.

-- What is to be computed. Apart from the results, so that the record of a push never waits for a computation's end.
create table statistics_marks (
  repository_id text primary key references repositories (id) on delete cascade,
  -- Each push adds one; what was seen at the begin of a computation is done at its end.
  wanted bigint not null default 1,
  done bigint not null default 0,
  -- When to see to it that somebody computes; null when nothing is left to do.
  due_at timestamptz default now(),
  -- Why the last try failed; null when it did not.
  problem text
);
create index statistics_marks_due on statistics_marks (due_at) where due_at is not null;
insert into statistics_marks (repository_id) select id from repositories;

-- Up to where the history is in the tables below. Changes in one transaction with them.
create table repository_statistics (
  repository_id text primary key references repositories (id) on delete cascade,
  -- Null: the default branch had no commits.
  commit_sha text,
  -- By which rules files were judged; what was judged by others is computed anew.
  rules text not null,
  commits bigint not null,
  computed_at timestamptz(3) not null default now()
);
-- A week is named by its Monday, UTC.
create table repository_commit_weeks (
  repository_id text not null references repositories (id) on delete cascade,
  week date not null,
  commits bigint not null,
  additions bigint not null,
  deletions bigint not null,
  primary key (repository_id, week)
);
-- By the author's e-mail address in lower case; whose it is, is asked when it is shown.
create table repository_contributors (
  repository_id text not null references repositories (id) on delete cascade,
  email text not null,
  -- The name in the commit that was committed last, and when and which that was.
  name text not null,
  named_at bigint not null,
  named_by text not null,
  commits bigint not null,
  additions bigint not null,
  deletions bigint not null,
  first_week date not null,
  last_week date not null,
  primary key (repository_id, email)
);
create table repository_contributor_weeks (
  repository_id text not null references repositories (id) on delete cascade,
  email text not null,
  week date not null,
  commits bigint not null,
  additions bigint not null,
  deletions bigint not null,
  primary key (repository_id, email, week)
);
create table repository_languages (
  repository_id text not null references repositories (id) on delete cascade,
  language text not null,
  color text,
  bytes bigint not null,
  files bigint not null,
  primary key (repository_id, language)
);
alter table repositories add column primary_language text;

-- Files that name what a repository depends on.
create table repository_manifests (
  repository_id text not null references repositories (id) on delete cascade,
  path text not null,
  ecosystem text not null,
  format text not null,
  -- The file's content.
  oid text not null,
  -- Why it could not be read; null when it could.
  problem text,
  primary key (repository_id, path)
);
create table repository_dependencies (
  repository_id text not null,
  path text not null,
  -- From 0, in the order of the file.
  position integer not null,
  name text not null,
  requirement text,
  version text,
  direct boolean not null,
  scope text not null,
  -- Positions of those that it needs itself.
  requires integer[] not null,
  primary key (repository_id, path, position),
  foreign key (repository_id, path) references repository_manifests (repository_id, path) on delete cascade
);

grant select, insert, update, delete on statistics_marks, repository_statistics, repository_commit_weeks,
  repository_contributors, repository_contributor_weeks, repository_languages, repository_manifests,
  repository_dependencies to forgeline_app;
