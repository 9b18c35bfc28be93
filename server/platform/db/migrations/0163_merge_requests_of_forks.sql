-- Merge requests whose source branch is in another repository of the same network of forks.
alter table merge_requests
  -- Full name of that repository when it was proposed: of one that is not public, no later name is shown. Null: the same repository.
  add column source_name text,
  -- Who could see it then. Where fewer can later, what is pushed there does not come here.
  add column source_visibility text check (source_visibility in ('private', 'internal', 'public')),
  -- Who pushed to the source branch last, of one in another repository; null also where the account was deleted.
  add column source_pusher_id text references users (id) on delete set null,
  -- Why what was pushed there did not come here; null: it did.
  add column source_problem text check (source_problem in ('access', 'visibility', 'size'));
