-- How often Git has failed to merge it, on any server, since it was last merged.
alter table merge_queue_entries add column failures integer not null default 0 check (failures >= 0);

-- Several batches of one branch are tested at once, each on top of the one before it; lowest first.
alter table merge_queue_batches drop constraint merge_queue_batches_repository_id_branch_key;
alter table merge_queue_batches add column place bigint generated always as identity;
alter table merge_queue_batches add constraint merge_queue_batches_in_order unique (repository_id, branch, place);
