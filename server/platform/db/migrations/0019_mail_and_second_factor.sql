-- Mail, the one-use tokens that travel in it, and second factors.

-- Somebody asked for a mail. What it says, and whether there is one at all, is decided after the answer, so that no answer
-- tells whether an address is known.
create table mail_requests (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('verify_email', 'reset_password')),
  address text not null,
  -- With verify_email: which record of an address it is about.
  email_id text references user_emails (id) on delete cascade,
  created_at timestamptz not null default now()
);
create unique index mail_requests_once on mail_requests (kind, lower(address), coalesce(email_id, ''));

create table mails (
  id text primary key,
  kind text not null,
  to_address text not null,
  subject text not null,
  -- Sealed with the instance's key: it may hold a one-use token. Null once it was sent.
  sealed_text bytea,
  attempts integer not null default 0,
  next_try_at timestamptz not null default now(),
  error text,
  sent_at timestamptz,
  failed_at timestamptz,
  created_at timestamptz not null default now()
);
create index mails_due on mails (next_try_at) where sent_at is null and failed_at is null;
create index mails_recent on mails (lower(to_address), created_at);
create index mails_age on mails (created_at);

create table account_tokens (
  -- SHA-256 of the token; using it deletes the row.
  token_hash bytea primary key,
  purpose text not null check (purpose in ('verify_email', 'reset_password')),
  user_id text not null references users (id) on delete cascade,
  email_id text references user_emails (id) on delete cascade,
  expires_at timestamptz not null
);
create index account_tokens_user on account_tokens (user_id);
create index account_tokens_expiry on account_tokens (expires_at);

create table two_factor (
  user_id text primary key references users (id) on delete cascade,
  -- The shared secret, sealed with the instance's key.
  sealed_secret bytea not null,
  -- Null until a first code proved that the other side has the secret.
  enabled_at timestamptz,
  -- The last period whose code was used: no code is taken twice.
  last_period bigint not null default 0
);

create table recovery_codes (
  user_id text not null references two_factor (user_id) on delete cascade,
  -- HMAC under the instance's key; using a code deletes its row.
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

grant select, insert, update, delete on mail_requests, mails, account_tokens, two_factor, recovery_codes
  to forgeline_app;
grant usage on all sequences in schema public to forgeline_app;
