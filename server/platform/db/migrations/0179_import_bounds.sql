-- How much an import has read, whether it was kept or not, and when its present attempt began.
alter table imports
  add column records_read integer not null default 0,
  add column begun_at timestamptz not null default now();
