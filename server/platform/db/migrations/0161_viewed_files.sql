-- A file of a merge request that somebody has looked at. It counts for as long as the change of the file is the one that was seen.
create table merge_request_viewed_files (
  merge_request_id text not null references merge_requests (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  path text not null,
  -- A path can be longer than what an index takes.
  path_hash text not null generated always as (md5(path)) stored,
  -- Mode and object before and after the change, as `100644 ID`; null where there was no file.
  before_file text,
  after_file text,
  viewed_at timestamptz not null default now(),
  primary key (merge_request_id, user_id, path_hash)
);
create index merge_request_viewed_files_of_user on merge_request_viewed_files (user_id);
grant select, insert, update, delete on merge_request_viewed_files to forgeline_app;

-- Which heads of a merge request somebody has seen; the last few stay.
create table merge_request_looks (
  merge_request_id text not null references merge_requests (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  head_sha text not null check (head_sha ~ '^[0-9a-f]{40}$'),
  looked_at timestamptz not null default now(),
  primary key (merge_request_id, user_id, head_sha)
);
create index merge_request_looks_of_user on merge_request_looks (user_id);
grant select, insert, update, delete on merge_request_looks to forgeline_app;

-- A suggestion in a comment that is in the source branch now.
create table applied_suggestions (
  comment_id text not null references comments (id) on delete cascade,
  -- Which one of the comment, from 0.
  position integer not null check (position >= 0),
  -- Of what it said then: a comment can be edited.
  digest text not null,
  -- The commit that brought it.
  sha text not null check (sha ~ '^[0-9a-f]{40}$'),
  applied_by text references users (id) on delete set null,
  applied_at timestamptz not null default now(),
  primary key (comment_id, position)
);
create index applied_suggestions_of_user on applied_suggestions (applied_by);
grant select, insert, update, delete on applied_suggestions to forgeline_app;
