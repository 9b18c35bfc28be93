-- What jobs report about their work. A row comes with the accepted result of an attempt, and is read from its upload in the
-- background; what is found then stands in rows of its own, which go with it.
create table job_reports (
  attempt_id text primary key references job_attempts (id) on delete cascade,
  repository_id text not null references repositories (id) on delete cascade,
  pipeline_id text not null references pipelines (id) on delete cascade,
  job_id text not null references jobs (id) on delete cascade,
  -- Its upload; null once it was read, and when it is gone.
  artifact_id text references artifacts (id) on delete set null,
  created_at timestamptz not null default now(),
  -- Some server reads it until then.
  taken_until timestamptz,
  tries integer not null default 0,
  -- null while it waits to be read.
  read_at timestamptz,
  -- Markdown.
  summary text not null default '',
  -- What could not be read, and why.
  problems jsonb not null default '[]'
);
create index job_reports_waiting on job_reports (created_at) where read_at is null;
create index job_reports_of_run on job_reports (pipeline_id);
create index job_reports_of_job on job_reports (job_id);
create index job_reports_of_repository on job_reports (repository_id, created_at);
create index job_reports_uploads on job_reports (artifact_id) where artifact_id is not null;
grant select, insert, update, delete on job_reports to forgeline_app;

create table annotations (
  attempt_id text not null references job_reports (attempt_id) on delete cascade,
  position integer not null,
  pipeline_id text not null references pipelines (id) on delete cascade,
  -- Position of the step that wrote it; null for one out of a report.
  step integer,
  level text not null check (level in ('error', 'warning', 'notice')),
  path text,
  line integer,
  end_line integer,
  title text,
  message text not null,
  -- Tool and rule of one out of a report.
  source text,
  primary key (attempt_id, position)
);
create index annotations_of_run on annotations (pipeline_id);
grant select, insert, update, delete on annotations to forgeline_app;
