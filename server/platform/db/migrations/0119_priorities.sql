-- What a job's file or its run says, as it was queued. Servers of the release before write none of these columns: their jobs have
-- no priority, their turn is when they were queued, and what they offer counts in nobody's share.
alter table job_attempts add column priority integer not null default 0;
-- The place in the queue: when the attempt was queued, moved by its priority.
alter table job_attempts add column turn_at timestamptz not null default now();
update job_attempts set turn_at = queued_at where state in ('queued', 'offered');
-- In whose share the attempt counts since it was offered: of which owner, among the runners of which organization or repository;
-- '' for those of the instance.
alter table job_attempts add column share_scope text;
alter table job_attempts add column share_owner text;

-- These serve the statements of the release before as well, which sorts the queue of a repository meanwhile.
drop index job_attempts_queue;
create index job_attempts_queue on job_attempts (repository_id, labels, turn_at, id) where state = 'queued';
drop index job_attempts_running;
create index job_attempts_shares on job_attempts (share_scope, share_owner, repository_id) where state in ('offered', 'leased');
