-- Whether the last rerun of the job asked for debug output.
alter table jobs add column debug boolean not null default false;
