-- Pipelines that jobs of other pipelines start. The attempt of such a job is never queued for a runner: it is `delegated` until the
-- other run is there, and `following` until that has ended.
alter table job_attempts drop constraint job_attempts_state_check;
alter table job_attempts add constraint job_attempts_state_check
  check (state in ('queued', 'offered', 'leased', 'delegated', 'following', 'ended'));
alter table pipelines drop constraint pipelines_source_check;
alter table pipelines add constraint pipelines_source_check
  check (source in ('push', 'tag', 'merge_request', 'api', 'schedule', 'manual', 'mirror_sync', 'fork_sync', 'pipeline'));

-- The run whose job started this one; null also where it is gone.
alter table pipelines add column parent_id text references pipelines (id) on delete set null;
-- Of it: its sequence then, the job and the attempt that started this run.
alter table pipelines add column parent_sequence integer;
alter table pipelines add column parent_job_id text;
alter table pipelines add column parent_attempt_id text;
-- The first run of all that started each other, and how many are between it and this one.
alter table pipelines add column root_id text;
alter table pipelines add column depth integer not null default 0;
-- With whose rights its jobs start other pipelines; null: nobody's, so only in its own repository.
alter table pipelines add column starts_as text references users (id);
-- Its credential was good for other repositories too.
alter table pipelines add column starts_elsewhere boolean not null default false;
create index pipelines_of_parent on pipelines (parent_id) where parent_id is not null;
create index pipelines_of_root on pipelines (root_id) where root_id is not null;
