alter table merge_requests
  -- Its author lets those who may write in the target push to the source branch, which is in another repository, while it is open.
  add column maintainer_can_modify boolean not null default false,
  -- What rules required and was missing, where the merge under way, or the one that was made, does without it.
  add column bypass_missing text[];

-- Texts of reviews take reactions as comments do.
alter table reactions
  add column review_id text references reviews (id) on delete cascade,
  alter column subject_id set expression as (coalesce(work_item_id, comment_id, discussion_id, reply_id, review_id)),
  drop constraint reactions_check,
  add constraint reactions_check check (num_nonnulls(work_item_id, comment_id, discussion_id, reply_id, review_id) = 1);
create index reactions_of_review on reactions (review_id) where review_id is not null;
