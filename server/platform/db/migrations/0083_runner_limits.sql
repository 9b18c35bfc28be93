-- What one job of the runner may take, as its last `hello` said.
alter table runners add column limits jsonb;
