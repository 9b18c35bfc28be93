-- Which issues of its repository the commits of a merge request say that they fix, so that nobody has to read commits to show them.
create table merge_request_commit_closings (
  merge_request_id text primary key references merge_requests (id) on delete cascade,
  repository_id text not null references repositories (id) on delete cascade,
  -- The head whose commits were read.
  head_sha text not null,
  -- Of issues; there need not be such.
  numbers int[] not null
);
create index merge_request_commit_closings_of_repository on merge_request_commit_closings (repository_id)
  where numbers <> '{}';
grant select, insert, update, delete on merge_request_commit_closings to forgeline_app;
