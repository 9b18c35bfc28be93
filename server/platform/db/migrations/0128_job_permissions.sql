-- What the token of an attempt may do, decided when a runner takes it; and why that is less than its file asks for.
alter table job_attempts add column token_scopes text[] not null default '{repo:read}';
alter table job_attempts add column token_limit text;
-- The job whose token pushed; null: a person, a bot, a deploy key or a sync did.
alter table pushes add column job_id text;
