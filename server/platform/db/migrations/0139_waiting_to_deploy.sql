-- What the job deploys to, from the moment it has come so far that only the environment, people or a slot can hold it.
alter table jobs add column environment text;
create index jobs_waiting_to_deploy on jobs (repository_id, lower(environment)) where environment is not null and finished_at is null;
