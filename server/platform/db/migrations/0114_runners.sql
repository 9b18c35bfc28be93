-- Runners of an organization: they take jobs of its repositories only.
alter table runners add column organization_id text references organizations (id) on delete cascade;
alter table runner_registration_tokens add column organization_id text references organizations (id) on delete cascade;
create index runners_organization on runners (organization_id) where organization_id is not null;

-- Labels that a job must ask for: those which the runner has with a ! before them.
alter table runners add column must_name text[] not null default '{}';

-- A runner that ends after one job. `job_taken` as soon as it has a lease: it gets no other one, whatever becomes of the first.
alter table runners add column one_job boolean not null default false;
alter table runners add column job_taken boolean not null default false;
create index runners_one_job on runners (id) where one_job and revoked_at is null;

-- A claim walks through the repositories of an organization by their ids.
create index repositories_of_owner on repositories (owner_id, id);

-- A label that a job rules out begins with !. In the order of "C" these come before all others, in every database.
alter table job_attempts alter column labels type text[] collate "C";
alter table runners alter column labels type text[] collate "C";
alter table runners alter column match_labels type text[] collate "C";
alter table runners alter column set_labels type text[] collate "C";
