-- A cache that its runner has whole on its own disk and sends while the job goes on and ends: since when, and with what credential.
alter table caches add column handed_over_at timestamp with time zone;
alter table caches add column upload_token_hash bytea;
create index caches_being_saved on caches (repository_id, key) where saved_at is null and removed_at is null and handed_over_at is not null;
