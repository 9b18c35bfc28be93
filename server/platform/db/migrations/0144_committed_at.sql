-- When the commit of a run was made, as its committer says: how long changes take until they are deployed. Null: of a run from before this column.
alter table pipelines add column committed_at timestamptz;
