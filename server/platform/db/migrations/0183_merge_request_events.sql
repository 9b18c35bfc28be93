-- Runs of merge requests: after which of its changes, and on what the target branch would become.
alter table repositories add column merge_request_pipelines text not null default 'head'
  check (merge_request_pipelines in ('head', 'merged_result'));

-- The head of the merge request, in a run on the merged result; the commit of the run is then not the head. Null: any other run.
alter table pipelines add column head_sha text check (head_sha ~ '^[0-9a-f]{40}$');
create index pipelines_of_merged_heads on pipelines (repository_id, head_sha) where head_sha is not null;

-- What happened since the runs were made last.
alter table merge_request_subjects add column happened text[] not null default '{}';
-- Where its branches parted when runs were made last.
alter table merge_request_subjects add column base_sha text;
-- Its branches conflict: runs are made once they do not any more.
alter table merge_request_subjects add column waits_for_merge boolean not null default false;

-- A commit that merges a head into a target branch, and that runs use. A ref keeps it.
create table merged_results (
  repository_id text not null references repositories (id) on delete cascade,
  number integer not null,
  sha text not null check (sha ~ '^[0-9a-f]{40}$'),
  head_sha text not null check (head_sha ~ '^[0-9a-f]{40}$'),
  created_at timestamptz not null default now(),
  primary key (repository_id, number, sha)
);
create index merged_results_age on merged_results (created_at);
grant select, insert, update, delete on merged_results to forgeline_app;
