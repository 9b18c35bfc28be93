-- How long runs and what belongs to them are kept, as repositories and organizations say; null: as long as others allow.
create table retention_rules (
  id bigint generated always as identity primary key,
  organization_id text references organizations (id) on delete cascade,
  repository_id text references repositories (id) on delete cascade,
  runs_days integer check (runs_days between 1 and 3650),
  logs_days integer check (logs_days between 1 and 3650),
  artifacts_days integer check (artifacts_days between 1 and 3650),
  caches_days integer check (caches_days between 1 and 3650),
  reports_days integer check (reports_days between 1 and 3650),
  updated_at timestamptz not null default now(),
  check ((organization_id is null) <> (repository_id is null))
);
create unique index retention_rules_of_organization on retention_rules (organization_id) where organization_id is not null;
create unique index retention_rules_of_repository on retention_rules (repository_id) where repository_id is not null;
grant select, insert, update, delete on retention_rules to forgeline_app;

-- The shortest time wins.
create view retention_days as
select r.id as repository_id,
  least(o.runs_days, p.runs_days) as runs_days,
  least(o.logs_days, p.logs_days) as logs_days,
  least(o.artifacts_days, p.artifacts_days) as artifacts_days,
  least(o.caches_days, p.caches_days) as caches_days,
  least(o.reports_days, p.reports_days) as reports_days
from repositories r
left join retention_rules p on p.repository_id = r.id
left join retention_rules o on o.organization_id = r.owner_id;
grant select on retention_days to forgeline_app;

-- When the logs of a run were removed; those of jobs that were rerun later are still there.
alter table pipelines add column logs_removed_at timestamptz;
create index pipelines_finished on pipelines (repository_id, finished_at) where finished_at is not null;
