-- Facts that others must know, written in the transaction that changes them (docs/architecture/events.md).
create table events (
  -- First, so that the transaction has its number before the event has its position: followers rely on it to tell a gap that will be
  -- filled from one that will not.
  xid xid8 not null default pg_current_xact_id(),
  position bigint not null generated always as identity primary key,
  kind text not null,
  action text not null,
  -- Not references: an event outlives what it is about.
  repository_id text,
  organization_id text,
  -- Records as they were when it happened.
  repository jsonb,
  organization jsonb,
  sender jsonb,
  subject jsonb not null,
  occurred_at timestamptz not null default clock_timestamp()
);
grant select, insert, delete on events to forgeline_app;
grant update (subject) on events to forgeline_app;
create index events_occurred on events using brin (occurred_at);
create index events_repository on events (repository_id, kind, position desc) where repository_id is not null;
create index events_organization on events (organization_id, kind, position desc) where organization_id is not null;

-- How far somebody who follows events has read.
create table event_followers (
  name text primary key,
  -- All events up to here have been read, except those in the gaps.
  position bigint not null,
  -- [{"from": bigint, "to": bigint, "horizon": text}]: positions that were not visible; `horizon` is the transaction number below which
  -- all transactions must have ended before the gap is given up.
  gaps jsonb not null default '[]',
  updated_at timestamptz not null default now()
);
grant select, update on event_followers to forgeline_app;
-- Each follower is added by a migration, so that what happens before its first start is not lost.
insert into event_followers (name, position) values ('webhooks', 0);

-- A user as events keep them: what everyone may see.
create function user_snapshot(user_id text) returns jsonb language sql stable as $$
  select jsonb_build_object('id', u.id, 'username', u.username, 'display_name', u.display_name, 'type', u.type,
    'created_at', u.created_at, 'updated_at', u.updated_at)
  from users u where u.id = user_id
$$;
