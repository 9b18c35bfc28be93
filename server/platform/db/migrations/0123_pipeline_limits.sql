-- Limits of pipelines that administrators have set: for an organization, or (null) for the instance. What has no row has its default.
create table pipeline_limits (
  id bigint generated always as identity primary key,
  organization_id text references organizations (id) on delete cascade,
  name text not null check (length(name) between 1 and 63),
  value integer not null check (value >= 0),
  updated_at timestamptz not null default now(),
  unique nulls not distinct (organization_id, name)
);
grant select, insert, update, delete on pipeline_limits to forgeline_app;
