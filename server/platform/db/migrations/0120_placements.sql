-- Stages whose jobs run on one runner, and may share a workspace (docs/architecture/placements.md).
create table placements (
  id text primary key,
  pipeline_id text not null references pipelines (id) on delete cascade,
  stage_id text not null references stages (id) on delete cascade,
  repository_id text not null,
  sequence integer not null,
  -- Some of the jobs work in one workspace, one after another.
  shared boolean not null,
  state text not null default 'open' check (state in ('open', 'chosen', 'held', 'over')),
  runner_id text references runners (id) on delete set null,
  -- Its runner was lost, or gave it up, before the stage was over.
  lost boolean not null default false,
  created_at timestamptz not null default now(),
  chosen_at timestamptz
);
create index placements_of_stage on placements (stage_id);
create index placements_of_pipeline on placements (pipeline_id);
create unique index placements_open on placements (stage_id, sequence) where state <> 'over';
create index placements_of_runner on placements (runner_id) where state in ('chosen', 'held');
grant select, insert, update, delete on placements to forgeline_app;

alter table job_attempts add column placement_id text;
create index job_attempts_placed on job_attempts (placement_id) where placement_id is not null and state in ('queued', 'offered', 'leased');

-- Labels that a runner has by itself, and nobody can give it: that it can have placements, and one of its own.
alter table runners add column own_labels text[] collate "C" not null default '{}';
