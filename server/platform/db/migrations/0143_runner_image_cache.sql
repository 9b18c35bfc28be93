-- How much of the disk the runner's pulled images may take, as it said when it last connected. Null: no limit, or it did not say.
alter table runners add column image_cache_bytes bigint;
