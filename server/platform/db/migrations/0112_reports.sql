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
  -- Commit, and key and combination of the job: what results of tests are compared within.
  sha text not null,
  job_key text not null,
  combination text not null,
  -- Counts of test_results.
  passed integer not null default 0,
  failed integer not null default 0,
  skipped integer not null default 0,
  tests_ms bigint not null default 0,
  -- Sums of coverage_files.
  lines_covered integer not null default 0,
  lines_total integer not null default 0,
  -- Markdown.
  summary text not null default '',
  -- What could not be read, and why.
  problems jsonb not null default '[]'
);
create index job_reports_waiting on job_reports (created_at) where read_at is null;
create index job_reports_of_run on job_reports (pipeline_id);
create index job_reports_of_job on job_reports (job_id);
create index job_reports_of_repository on job_reports (repository_id, created_at);
create index job_reports_of_commit on job_reports (repository_id, sha);
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

-- Every test that a repository's jobs have reported, by the name that its reports give it.
create table tests (
  id text primary key,
  repository_id text not null references repositories (id) on delete cascade,
  -- SHA-256 of suite and name.
  name_hash bytea not null,
  suite text not null,
  name text not null,
  results integer not null default 0,
  failures integer not null default 0,
  -- What it usually takes: later results count for more.
  typical_ms integer,
  seen_at timestamptz not null default now(),
  -- When it last had both outcomes on one commit, and which.
  flaky_at timestamptz,
  flaky_sha text,
  quarantined_at timestamptz,
  quarantined_by text references users (id) on delete set null,
  quarantine_reason text,
  unique (repository_id, name_hash)
)
-- Each report changes the rows of all its tests: what changes is in no index, and has room beside the old row.
with (fillfactor = 70);
create index tests_flaky on tests (repository_id, flaky_at desc) where flaky_at is not null;
create index tests_quarantined on tests (repository_id, quarantined_at desc) where quarantined_at is not null;
create index tests_quarantined_by on tests (quarantined_by) where quarantined_by is not null;
grant select, insert, update, delete on tests to forgeline_app;

create table test_results (
  attempt_id text not null references job_reports (attempt_id) on delete cascade,
  position integer not null,
  test_id text not null references tests (id) on delete cascade,
  status text not null check (status in ('passed', 'failed', 'skipped')),
  duration_ms integer,
  message text,
  details text,
  primary key (attempt_id, position)
);
create index test_results_of_test on test_results (test_id, attempt_id);
grant select, insert, update, delete on test_results to forgeline_app;

create index job_reports_with_coverage on job_reports (repository_id, created_at desc) where lines_total > 0;

-- Lines of each file that tests have covered.
create table coverage_files (
  attempt_id text not null references job_reports (attempt_id) on delete cascade,
  position integer not null,
  path text not null,
  lines_covered integer not null,
  lines_total integer not null,
  primary key (attempt_id, position)
);
grant select, insert, update, delete on coverage_files to forgeline_app;
