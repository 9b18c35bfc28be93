-- The key of an account's recovery codes, encrypted; null while it is derived from the key before the keyring.
alter table two_factor add column sealed_recovery_key bytea;

-- Replacements of the data key by which the instance encrypts.
create table key_rotations (
  id text primary key,
  requested_by text references users (id) on delete set null,
  -- The new key; null until it is in the keyring.
  key_id text,
  -- Values encrypted again, by kind.
  encrypted jsonb not null default '{}',
  -- Values that no key opens. They stay as they are.
  unreadable integer not null default 0,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  cancelled boolean not null default false
);
create unique index key_rotations_open on key_rotations ((true)) where finished_at is null;
grant select, insert, update on key_rotations to forgeline_app;
