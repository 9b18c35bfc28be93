-- What somebody says of the changes of a merge request as a whole, with comments on lines.
create table reviews (
  id text primary key,
  merge_request_id text not null references merge_requests (id) on delete cascade,
  repository_id text not null references repositories (id) on delete cascade,
  -- Null: the account was deleted.
  author_id text references users (id) on delete set null,
  -- A pending one is seen by its author only.
  state text not null default 'pending' check (state in ('pending', 'commented', 'approved', 'changes_requested', 'dismissed')),
  body text not null default '',
  -- The head that its author saw.
  head_sha text not null check (head_sha ~ '^[0-9a-f]{40}$'),
  submitted_at timestamptz,
  dismissed_at timestamptz,
  dismissed_by text references users (id) on delete set null,
  dismissed_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((state = 'pending') = (submitted_at is null)),
  check ((state = 'dismissed') = (dismissed_at is not null))
);
create unique index reviews_pending on reviews (merge_request_id, author_id) where state = 'pending';
create index reviews_of on reviews (merge_request_id, submitted_at);
create index reviews_author on reviews (author_id) where author_id is not null;
create index reviews_repository on reviews (repository_id);
grant select, insert, update, delete on reviews to forgeline_app;

-- A conversation about a line, some lines or a file that a merge request changes.
create table review_threads (
  id text primary key,
  merge_request_id text not null references merge_requests (id) on delete cascade,
  repository_id text not null references repositories (id) on delete cascade,
  author_id text references users (id) on delete set null,
  path text not null,
  side text not null check (side in ('old', 'new')),
  start_line integer check (start_line > 0),
  -- Null: the whole file.
  line integer check (line > 0),
  -- Where the lines were counted: the head for the new side, the merge base for the old one.
  commit_sha text not null check (commit_sha ~ '^[0-9a-f]{40}$'),
  -- The last lines of the change up to the line.
  excerpt text not null default '',
  -- The same lines in a later commit of that side.
  current_path text not null,
  current_start_line integer check (current_start_line > 0),
  current_line integer check (current_line > 0),
  current_sha text not null check (current_sha ~ '^[0-9a-f]{40}$'),
  -- The lines were changed since; where they are now stays as it was last known.
  is_outdated boolean not null default false,
  resolved_at timestamptz,
  resolved_by text references users (id) on delete set null,
  created_at timestamptz not null default now(),
  check (start_line is null or start_line < line)
);
create index review_threads_of on review_threads (merge_request_id, id);
create index review_threads_repository on review_threads (repository_id);
create index review_threads_author on review_threads (author_id) where author_id is not null;
grant select, insert, update, delete on review_threads to forgeline_app;

-- Whoever is asked to review: a person, or a team.
create table merge_request_reviewers (
  merge_request_id text not null references merge_requests (id) on delete cascade,
  user_id text references users (id) on delete cascade,
  team_id text references teams (id) on delete cascade,
  reason text not null check (reason in ('requested', 'code_owner')),
  -- Of CODEOWNERS, where that names them.
  pattern text,
  requested_by text references users (id) on delete set null,
  requested_at timestamptz not null default now(),
  check ((user_id is null) <> (team_id is null)),
  check ((reason = 'code_owner') = (pattern is not null))
);
create unique index merge_request_reviewers_user on merge_request_reviewers (merge_request_id, user_id, reason) where user_id is not null;
create unique index merge_request_reviewers_team on merge_request_reviewers (merge_request_id, team_id, reason) where team_id is not null;
create index merge_request_reviewers_of_user on merge_request_reviewers (user_id) where user_id is not null;
create index merge_request_reviewers_of_team on merge_request_reviewers (team_id) where team_id is not null;
grant select, insert, update, delete on merge_request_reviewers to forgeline_app;

alter table comments
  add column thread_id text references review_threads (id) on delete cascade,
  add column review_id text references reviews (id) on delete cascade,
  -- Of a review that is not submitted: seen by its author only, and not counted.
  add column is_pending boolean not null default false,
  add constraint comments_pending check (not is_pending or (thread_id is not null and review_id is not null));
create index comments_thread on comments (thread_id, created_at, id) where thread_id is not null;
create index comments_review on comments (review_id) where review_id is not null;
