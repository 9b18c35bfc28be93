-- What commits fix depends on the target too: they are those that it does not have.
alter table merge_request_commit_closings add column target_branch text;
