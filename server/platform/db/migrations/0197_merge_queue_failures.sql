-- How often Git has failed to merge it, on any server, since it was last merged.
alter table merge_queue_entries add column failures integer not null default 0 check (failures >= 0);
