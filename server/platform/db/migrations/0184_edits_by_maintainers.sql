alter table merge_requests
  -- Its author lets those who may write in the target push to the source branch, which is in another repository, while it is open.
  add column maintainer_can_modify boolean not null default false,
  -- What rules required and was missing, where the merge under way, or the one that was made, does without it.
  add column bypass_missing text[];
