-- What the runner hub needs beyond the spine: a queue index by which a claim skips from one (repository, labels)
-- group to the next however long a group is, and moments taken from the database clock for the hub's own limits.

drop index job_attempts_queue;
create index job_attempts_queue on job_attempts (repository_id, labels, queued_at, id) where state = 'queued';

-- When the runner first reported its result while log bytes were still missing; null otherwise.
alter table job_attempts add column logs_awaited_since timestamptz;

-- When the server recorded the start of the step. Limits count from here, never from the runner's clock.
alter table steps add column recorded_at timestamptz;
create index steps_running on steps (attempt_id) where status = 'running';
