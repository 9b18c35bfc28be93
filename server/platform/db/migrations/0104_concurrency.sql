-- Slots of concurrency groups: who holds one, who waits for one, and who may still ask (docs/architecture/concurrency.md).
create table concurrency_slots (
  id text primary key,
  -- The order of the queue.
  place bigint generated always as identity,
  scope text not null check (scope in ('repo', 'org')),
  -- The repository, or the organization, that the group belongs to. Not a foreign key, as it is one of two tables; the
  -- repository of the run is.
  owner_id text not null,
  group_name text not null,
  repository_id text not null references repositories (id) on delete cascade,
  pipeline_id text not null references pipelines (id) on delete cascade,
  node text not null check (node in ('pipeline', 'stage', 'job')),
  node_id text not null,
  slot_limit integer not null check (slot_limit >= 1),
  wait_order text not null check (wait_order in ('created', 'ready')),
  newest_only boolean not null,
  cancel_running boolean not null,
  state text not null default 'expected' check (state in ('expected', 'waiting', 'held', 'superseded')),
  -- Nothing can ask for it before people have approved something, so nobody waits for that.
  gated boolean not null default false,
  -- The reason for which it is cancelled: a newer one asked.
  superseded_reason text,
  created_at timestamptz not null default now(),
  asked_at timestamptz,
  held_at timestamptz,
  unique (pipeline_id, node_id)
);
create index concurrency_slots_of_group on concurrency_slots (owner_id, group_name, place);
create index concurrency_slots_of_repository on concurrency_slots (repository_id, group_name);
grant select, insert, update, delete on concurrency_slots to forgeline_app;

-- Whether groups of `scope: org` are allowed.
alter table organizations add column shared_concurrency boolean not null default false;
