-- Where an audit log is sent as it grows, one place for each log. What was sent is a position in the log's chain, which has no gaps.
create table audit_streams (
  id text primary key,
  -- Null: the instance's log.
  organization_id text references organizations (id) on delete cascade,
  chain text not null unique generated always as (coalesce(organization_id, 'instance')) stored,
  kind text not null check (kind in ('https', 'bucket', 'syslog')),
  -- As people see it, without secrets.
  target jsonb not null,
  sealed_secrets bytea not null,
  previous_until timestamptz(3),
  ca_certificate text,
  enabled boolean not null,
  disabled_reason text check (disabled_reason in ('stopped')),
  -- The last link of the chain that the target has accepted, and when it did.
  sent_number bigint not null check (sent_number >= 0),
  sent_at timestamptz(3),
  -- Rises with each change that whoever sends has to take notice of.
  revision integer not null default 1,
  -- Attempts in a row.
  failures integer not null default 0,
  failing_since timestamptz(3),
  last_error text,
  next_attempt_at timestamptz(3),
  -- Until then a workflow has it in hand: nobody starts another one.
  busy_until timestamptz(3),
  created_by text references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
grant select, insert, update, delete on audit_streams to forgeline_app;
