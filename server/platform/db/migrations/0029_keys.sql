-- Keys that people hold themselves: for Git over SSH, and passkeys for signing in.
create table ssh_keys (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  title text not null,
  kind text not null,
  -- Type and blob as in authorized_keys, without comment.
  public_key text not null,
  -- SHA-256 of the blob, as ssh-keygen -l shows it. A key says who somebody is, so it is one person's only.
  fingerprint text not null unique,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);
create index ssh_keys_user on ssh_keys (user_id, id desc);

create table passkeys (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  name text not null,
  -- As the authenticator names it, base64url.
  credential_id text not null unique,
  -- COSE key.
  public_key bytea not null,
  -- Signatures so far by the authenticator's own count; 0 for those that do not count.
  counter bigint not null,
  transports text[] not null,
  -- Copied between devices by its maker's account.
  synced boolean not null,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);
create index passkeys_user on passkeys (user_id, id desc);

-- What an authenticator is asked to sign; each is answered once.
create table passkey_challenges (
  challenge_hash bytea primary key,
  -- Who registers a passkey; null for a sign-in.
  user_id text references users (id) on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenges_expiry on passkey_challenges (expires_at);

grant select, insert, update, delete on ssh_keys, passkeys, passkey_challenges to forgeline_app;
