-- A protection: what a newer run has deployed is not replaced by an older one.
alter table environments add column refuse_older boolean not null default false;
-- The environments that the jobs which have reached the gate deploy to, in lower case.
alter table approval_gates add column deploys_to text[] not null default '{}';
