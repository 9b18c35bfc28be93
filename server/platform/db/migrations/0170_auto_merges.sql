-- Merge requests that are merged as soon as nothing stands in their way, and for whom.
create table merge_request_auto_merges (
  merge_request_id text primary key references merge_requests (id) on delete cascade,
  -- Null: the account was deleted.
  user_id text references users (id) on delete set null,
  strategy text not null check (strategy in ('merge', 'squash', 'rebase', 'fast_forward')),
  -- Null: the usual one.
  commit_message text check (length(commit_message) between 1 and 65536),
  delete_source_branch boolean not null,
  -- The only head that is meant; null: whatever is pushed.
  sha text check (sha ~ '^[0-9a-f]{40}$'),
  -- It was asked for this branch, and is for no other.
  target_branch text not null,
  enabled_at timestamptz not null default now(),
  -- Rises with whatever may have changed the answer.
  wanted integer not null default 0,
  due_at timestamptz not null default now(),
  -- What the runs of the head were when it was last tried.
  runs_seen text,
  -- Why the last try did not merge, where nothing else says so.
  problem text,
  -- What the target is about to become, for this one and no other merge.
  merging_sha text check (merging_sha ~ '^[0-9a-f]{40}$')
);
create index merge_request_auto_merges_due on merge_request_auto_merges (due_at);
grant select, insert, update, delete on merge_request_auto_merges to forgeline_app;
