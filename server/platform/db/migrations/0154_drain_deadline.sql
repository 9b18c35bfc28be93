-- Until when a draining runner may finish its jobs; null: as long as they take.
alter table runners add column drain_deadline timestamptz;
