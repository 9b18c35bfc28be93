-- The templates that a run uses, each with the commit to which it was pinned when the run was created.
alter table pipelines add column templates jsonb not null default '[]';
