-- OAuth 2.0: programs of others that act for people who agreed. Access tokens are rows of access_tokens, so whatever ends
-- or limits a token holds for them too.
create table oauth_apps (
  -- Also its client_id.
  id text primary key,
  owner_id text not null references owners (id) on delete cascade,
  name text not null,
  redirect_uris text[] not null,
  -- The most that it may ask for.
  scopes text[] not null,
  confidential boolean not null,
  -- SHA-256; public apps have none.
  secret_hash bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (confidential = (secret_hash is not null))
);
create index oauth_apps_owner on oauth_apps (owner_id, id desc);

-- What somebody has agreed to. Whoever changes what hangs on a grant locks its row first.
create table oauth_grants (
  id text primary key,
  app_id text not null references oauth_apps (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  scopes text[] not null,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, app_id)
);
create index oauth_grants_app on oauth_grants (app_id);

-- All tokens that came of one code: they end together.
create table oauth_families (
  id uuid primary key default gen_random_uuid(),
  grant_id text not null references oauth_grants (id) on delete cascade,
  scopes text[] not null,
  -- When its last refresh token ends.
  expires_at timestamptz not null
);
create index oauth_families_grant on oauth_families (grant_id);
create index oauth_families_expiry on oauth_families (expires_at);

create table oauth_codes (
  code_hash bytea primary key,
  grant_id text not null references oauth_grants (id) on delete cascade,
  redirect_uri text not null,
  scopes text[] not null,
  -- PKCE, S256.
  challenge text,
  expires_at timestamptz not null,
  used_at timestamptz,
  family_id uuid references oauth_families (id) on delete set null
);
create index oauth_codes_grant on oauth_codes (grant_id);
create index oauth_codes_family on oauth_codes (family_id);
create index oauth_codes_expiry on oauth_codes (expires_at);

create table oauth_refresh_tokens (
  token_hash bytea primary key,
  family_id uuid not null references oauth_families (id) on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index oauth_refresh_tokens_family on oauth_refresh_tokens (family_id);

-- Null: made by the user, not by an app.
alter table access_tokens add column family_id uuid references oauth_families (id) on delete cascade;
create index access_tokens_family on access_tokens (family_id) where family_id is not null;

grant select, insert, update, delete on oauth_apps, oauth_grants, oauth_families, oauth_codes, oauth_refresh_tokens
  to forgeline_app;
