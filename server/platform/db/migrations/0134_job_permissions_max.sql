-- What the tokens of a repository's jobs may do at most: `read` alone, or as much as their file says.
alter table repositories add column job_permissions_max text not null default 'write' check (job_permissions_max in ('read', 'write'));
