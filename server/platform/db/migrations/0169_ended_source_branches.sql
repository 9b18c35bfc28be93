-- Merge requests that have ended and whose source branch is deleted or comes back: their timelines say so.
create index merge_requests_of_ended_source on merge_requests (source_repository_id, source_branch) where not is_open;
