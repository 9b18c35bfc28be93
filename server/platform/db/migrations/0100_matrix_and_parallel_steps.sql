-- A job of the file is one row, or with a matrix one for each combination of its values.
-- Not jsonb, which would forget the order of the names.
alter table jobs add column matrix json;
-- Place of the combination in its matrix.
alter table jobs add column combination integer not null default 0;
-- False while the matrix depends on what is not known yet: the outputs of another job. The row then stands for all combinations.
alter table jobs add column expanded boolean not null default true;
alter table jobs drop constraint jobs_pipeline_id_key_key;
-- Deferred: a rerun may put the combinations into another order.
alter table jobs add constraint jobs_pipeline_id_key_combination_key
  unique (pipeline_id, key, combination) deferrable initially deferred;

-- Steps with the same number run at the same time; null for one that runs alone.
alter table steps add column parallel_group integer;
