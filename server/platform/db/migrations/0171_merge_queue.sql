-- Branches to which merge requests go by a queue that tests what the branch becomes.
alter table ref_protections
  -- `{"max_batch": 5, "max_wait_minutes": 60}`; null: it has none.
  add column merge_queue jsonb check (jsonb_typeof(merge_queue) = 'object');

-- What the target branch moves to, where that is more than the merge of this one: it lands together with others. Null: `merging_sha`.
alter table merge_requests add column merging_tip text check (merging_tip ~ '^[0-9a-f]{40}$');
create index merge_requests_merging_tip on merge_requests (repository_id, merging_tip) where merging_tip is not null;

-- The queue of one branch, from the first time that something was queued.
create table merge_queues (
  repository_id text not null references repositories (id) on delete cascade,
  branch text not null check (length(branch) between 1 and 1000),
  paused_at timestamptz,
  paused_by text references users (id) on delete set null,
  -- When a server looks at it next; null: nobody waits in it.
  due_at timestamptz,
  -- The server that looks at it has it until then, at most.
  leased_until timestamptz,
  -- Rises with each look: whoever looked before changes nothing any more.
  looks bigint not null default 0,
  -- Rises with each change that wants a look: one that began before does not count as the last.
  wanted bigint not null default 0,
  primary key (repository_id, branch)
);
create index merge_queues_due on merge_queues (due_at) where due_at is not null;
grant select, insert, update, delete on merge_queues to forgeline_app;

-- What is being tested for a branch, or about to land there. It ends with its row.
create table merge_queue_batches (
  id text primary key,
  repository_id text not null,
  branch text not null,
  state text not null check (state in ('testing', 'landing')),
  -- Where the branch was, and what it becomes.
  base_sha text not null check (base_sha ~ '^[0-9a-f]{40}$'),
  sha text not null check (sha ~ '^[0-9a-f]{40}$'),
  size integer not null check (size >= 1),
  pipeline_ids text[] not null,
  created_at timestamptz not null default now(),
  unique (repository_id, branch),
  foreign key (repository_id, branch) references merge_queues (repository_id, branch) on delete cascade
);
grant select, insert, update, delete on merge_queue_batches to forgeline_app;

-- A merge request that waits in a queue, as somebody asked for it.
create table merge_queue_entries (
  merge_request_id text primary key references merge_requests (id) on delete cascade,
  repository_id text not null,
  branch text not null,
  number integer not null,
  -- Lowest first.
  place bigint not null,
  -- What was queued; a merge request with another head leaves.
  head_sha text not null check (head_sha ~ '^[0-9a-f]{40}$'),
  strategy text not null check (strategy in ('merge', 'squash', 'rebase', 'fast_forward')),
  commit_message text check (length(commit_message) between 1 and 65536),
  delete_source_branch boolean not null,
  -- How far the credential reached with which it was queued.
  reach text not null check (reach in ('here', 'reads', 'starts')),
  queued_by text references users (id) on delete set null,
  queued_at timestamptz not null default now(),
  batch_id text references merge_queue_batches (id) on delete set null,
  -- What brings it into the target branch, while it is in a batch.
  merge_sha text check (merge_sha ~ '^[0-9a-f]{40}$'),
  -- One of a batch that failed, of which nobody knows which one it was.
  suspect boolean not null default false,
  foreign key (repository_id, branch) references merge_queues (repository_id, branch) on delete cascade
);
create index merge_queue_entries_in_order on merge_queue_entries (repository_id, branch, place);
create index merge_queue_entries_of_batch on merge_queue_entries (batch_id) where batch_id is not null;
grant select, insert, update, delete on merge_queue_entries to forgeline_app;
