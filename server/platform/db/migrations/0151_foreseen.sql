-- Jobs that will end without a secret that they need, as things stood when the run was created; null for none.
alter table pipelines add column foreseen jsonb;
