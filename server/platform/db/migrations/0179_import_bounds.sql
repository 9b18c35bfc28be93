-- How much an import has read, whether it was kept or not; when its present attempt began; and the query of the next page where the
-- host names it, because it counts none.
alter table imports
  add column records_read integer not null default 0,
  add column begun_at timestamptz not null default now(),
  add column next_query text;
