-- A run is announced as started once in each of its sequences.
alter table pipelines add column started_sequence integer not null default 0;
