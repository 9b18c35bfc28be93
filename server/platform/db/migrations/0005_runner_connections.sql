-- Streams that an attempt's sudden end left open; the sweeper closes them.
create index log_streams_open on log_streams (attempt_id) where not ended;

-- What an administrator set wins over what the runner says of itself; null: the runner's word counts.
alter table runners add column set_labels text[];
alter table runners add column set_capacity integer;
-- The runner itself stops taking jobs (it was told to end); `draining` is the administrator's wish.
alter table runners add column agent_draining boolean not null default false;
-- When two live runners were last seen with this runner's credential.
alter table runners add column duplicate_seen_at timestamptz;
create index runners_listed on runners (id) where revoked_at is null;
