-- Accounts that people make themselves: addresses, browser sessions, the slowing of guesses, and settings that an
-- administrator changes while the server runs.
alter table users add column email_public boolean not null default false;

create table user_emails (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  email text not null,
  verified_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index user_emails_own on user_emails (user_id, lower(email));
-- Unverified ones may be claimed by several: nobody can keep an address from its owner by typing it first.
create unique index user_emails_verified on user_emails (lower(email)) where verified_at is not null;

create table sessions (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  -- SHA-256 of the session's token, which only the browser has.
  token_hash bytea not null unique,
  method text not null check (method in ('password', 'passkey', 'sso')),
  ip_address text not null,
  user_agent text not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  -- Moves on with use, never past `ends_at`.
  expires_at timestamptz not null,
  ends_at timestamptz not null
);
create index sessions_user on sessions (user_id, id desc);
create index sessions_expiry on sessions (expires_at);

-- Attempts to sign in, counted before the password is looked at. Keys are hashes: what was typed as a name may be a password.
create table login_attempts (
  scope text not null check (scope in ('account', 'address', 'pair')),
  key bytea not null,
  attempts integer not null,
  last_at timestamptz not null,
  primary key (scope, key)
);
create index login_attempts_age on login_attempts (last_at);

-- Where somebody signed in before: there the account's own counter does not slow them.
create table login_addresses (
  user_id text not null references users (id) on delete cascade,
  address text not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, address)
);

create table instance_settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);

grant select, insert, update, delete on user_emails, sessions, login_attempts, login_addresses, instance_settings
  to forgeline_app;
