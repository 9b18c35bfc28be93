-- What only a merge request has; the rest is in the work item with the same id.
create table merge_requests (
  id text primary key references work_items (id) on delete cascade,
  -- Where it is merged.
  repository_id text not null references repositories (id) on delete cascade,
  -- Null: that repository is gone.
  source_repository_id text references repositories (id) on delete set null,
  source_branch text not null,
  target_branch text not null,
  -- As the state of the work item says; for the indexes.
  is_open boolean not null default true,
  draft boolean not null default false,
  -- Tip of the source branch; when it is no longer open, as it was then.
  head_sha text not null check (head_sha ~ '^[0-9a-f]{40}$'),
  -- Tip of the target branch, and what both have in common, when they were last compared.
  target_sha text not null check (target_sha ~ '^[0-9a-f]{40}$'),
  merge_base_sha text check (merge_base_sha ~ '^[0-9a-f]{40}$'),
  mergeability text not null default 'checking' check (mergeability in ('checking', 'clean', 'conflict')),
  -- Paths that both sides changed, when they conflict.
  conflicts text[] not null default '{}',
  -- Rises with each request to compare the branches again; what a comparison found counts if none came meanwhile.
  check_wanted integer not null default 1,
  check_due_at timestamptz default now(),
  -- When somebody last wanted to see it while it was being compared: those come first.
  looked_at timestamptz,
  -- Who pushed to the target branch last; null: nobody has since it was opened, or the account was deleted.
  target_pusher_id text references users (id) on delete set null,
  -- The merge under way: this commit, which brings this head, is about to become the tip of the target branch.
  merging_sha text check (merging_sha ~ '^[0-9a-f]{40}$'),
  merging_head_sha text check (merging_head_sha ~ '^[0-9a-f]{40}$'),
  merging_by text references users (id) on delete set null,
  merging_strategy text check (merging_strategy in ('merge', 'squash', 'rebase', 'fast_forward')),
  merging_at timestamptz,
  merged_at timestamptz,
  merged_by text references users (id) on delete set null,
  merge_sha text check (merge_sha ~ '^[0-9a-f]{40}$'),
  -- Null: somebody merged it with Git and pushed.
  merge_strategy text check (merge_strategy in ('merge', 'squash', 'rebase', 'fast_forward')),
  check ((merged_at is null) = (merge_sha is null)),
  check ((merging_sha is null) = (merging_at is null) and (merging_sha is null) = (merging_head_sha is null))
);
create unique index merge_requests_open on merge_requests
  (repository_id, source_repository_id, source_branch, target_branch) where is_open;
create index merge_requests_of_source on merge_requests (source_repository_id, source_branch) where is_open;
create index merge_requests_of_target on merge_requests (repository_id, target_branch) where is_open;
create index merge_requests_merging on merge_requests (repository_id, merging_sha) where merging_sha is not null;
create index merge_requests_due on merge_requests (check_due_at) where check_due_at is not null;
grant select, insert, update, delete on merge_requests to forgeline_app;
