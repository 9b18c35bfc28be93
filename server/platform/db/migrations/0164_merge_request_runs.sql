-- Runs of merge requests, and what those whose commits come from a fork need before they start.
create table merge_request_subjects (
  merge_request_id text primary key references merge_requests (id) on delete cascade,
  repository_id text not null references repositories (id) on delete cascade,
  number integer not null,
  is_open boolean not null,
  -- Null: that repository is gone.
  source_repository_id text references repositories (id) on delete set null,
  source_branch text not null,
  target_branch text not null,
  head_sha text not null check (head_sha ~ '^[0-9a-f]{40}$'),
  title text not null,
  draft boolean not null,
  labels text[] not null default '{}',
  author_id text references users (id) on delete set null,
  -- Who brought the head. Null: nobody knows, or the account was deleted.
  pusher_id text references users (id) on delete set null,
  -- Whose change asked for runs last.
  actor_id text references users (id) on delete set null,
  -- How far the credential of that change reaches.
  reach text not null default 'here' check (reach in ('here', 'reads', 'starts')),
  -- Rises with each request for runs; those that were made count if none came meanwhile.
  wanted integer not null default 0,
  due_at timestamptz,
  -- How often it was tried since runs were last asked for.
  tried integer not null default 0,
  unique (repository_id, number)
);
create index merge_request_subjects_due on merge_request_subjects (due_at) where due_at is not null;
create index merge_request_subjects_of_source on merge_request_subjects (repository_id, source_branch) where is_open;
grant select, insert, update, delete on merge_request_subjects to forgeline_app;

insert into merge_request_subjects (merge_request_id, repository_id, number, is_open, source_repository_id, source_branch,
  target_branch, head_sha, title, draft, labels, author_id)
select m.id, m.repository_id, w.number, m.is_open, m.source_repository_id, m.source_branch, m.target_branch, m.head_sha, w.title,
  m.draft, array(select l.name from work_item_labels x join labels l on l.id = x.label_id where x.work_item_id = w.id order by lower(l.name)),
  w.author_id
from merge_requests m join work_items w on w.id = m.id;

alter table pipelines add column merge_request_number integer;
-- It does not start before somebody has approved its commit.
alter table pipelines add column needs_approval boolean not null default false;
create index pipelines_of_merge_requests on pipelines (repository_id, merge_request_number) where merge_request_number is not null;

-- What somebody has decided about a run whose commits come from a fork.
create table fork_decisions (
  pipeline_id text primary key references pipelines (id) on delete cascade,
  decision text not null check (decision in ('approve', 'reject')),
  sha text not null,
  -- SHA-256 of the plan that was approved.
  plan_sha256 text not null,
  user_id text references users (id) on delete set null,
  comment text not null default '',
  decided_at timestamptz not null default now()
);
grant select, insert, update, delete on fork_decisions to forgeline_app;

-- People whose merge requests from forks run without being asked about.
create table trusted_authors (
  repository_id text not null references repositories (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  trusted_by text references users (id) on delete set null,
  trusted_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (repository_id, user_id)
);
grant select, insert, update, delete on trusted_authors to forgeline_app;
