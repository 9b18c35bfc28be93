-- When whoever does a sync last showed that it lives. Temporal may begin a second one meanwhile, which waits for it.
alter table mirror_syncs add column seen_at timestamptz not null default now();
