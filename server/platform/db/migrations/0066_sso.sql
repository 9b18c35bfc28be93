-- Single sign-on of organizations by OpenID Connect.
create table sso_configurations (
  id text primary key,
  organization_id text not null unique references organizations (id) on delete cascade,
  issuer text not null,
  client_id text not null,
  -- AES-256-GCM under the instance's key.
  sealed_client_secret bytea not null,
  -- Empty: any.
  email_domains text[] not null,
  -- Whether who has no account here gets one, and who is no member becomes one.
  provision boolean not null,
  -- Whether an administrator of the instance said yes to new accounts, for where sign-up is closed.
  provision_approved boolean not null,
  enabled boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- As whom an organization's provider knows a member. It ends with the membership and with the configuration.
create table sso_identities (
  id text primary key,
  organization_id text not null references sso_configurations (organization_id) on delete cascade,
  user_id text not null,
  issuer text not null,
  subject text not null,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  unique (organization_id, issuer, subject),
  unique (organization_id, user_id),
  foreign key (organization_id, user_id) references organization_members (organization_id, user_id) on delete cascade
);
create index sso_identities_user on sso_identities (user_id, id desc);

-- A session ends with the identity that opened it.
alter table sessions add column identity_id text references sso_identities (id) on delete cascade;
create index sessions_identity on sessions (identity_id) where identity_id is not null;

-- Browsers on their way to a provider and back. The key is the SHA-256 of a cookie's value, from which everything else
-- that must not be guessed is derived.
create table sso_flows (
  binding_hash bytea primary key,
  organization_id text not null references sso_configurations (organization_id) on delete cascade,
  -- Of the configuration that it began with.
  issuer text not null,
  client_id text not null,
  next_path text,
  expires_at timestamptz not null
);
create index sso_flows_expiry on sso_flows (expires_at);

-- Who came back from a provider and has something to answer yet: a one-time code, or which account it shall be.
create table sso_arrivals (
  binding_hash bytea primary key,
  organization_id text not null references sso_configurations (organization_id) on delete cascade,
  issuer text not null,
  subject text not null,
  email text,
  display_name text not null,
  suggested_username text not null,
  next_path text,
  expires_at timestamptz not null
);
create index sso_arrivals_expiry on sso_arrivals (expires_at);

grant select, insert, update, delete on sso_configurations, sso_identities, sso_flows, sso_arrivals to forgeline_app;
