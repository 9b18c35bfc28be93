-- What jobs of the runner may reach, as its last `hello` said; null: it did not say.
alter table runners add column egress jsonb;
