-- Signatures of commits: OpenPGP keys of people, keys of the instance, and a rule that asks for signatures.
alter table ref_protections
  -- Every commit that is new to the branch has to have a signature that this instance has verified.
  add column require_signed_commits boolean not null default false;

-- OpenPGP keys with which people sign commits. Public keys are public: anybody may register any, and it counts for own addresses only.
create table gpg_keys (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  -- Of the primary key: hexadecimal, lower case.
  fingerprint text not null,
  -- Of the primary key and the subkeys, as signatures name them: 16 hexadecimal digits, lower case.
  key_ids text[] not null check (cardinality(key_ids) between 1 and 50),
  -- Armored, without anything private.
  public_key text not null check (length(public_key) <= 65536),
  -- In the key's user ids; chosen by whoever made the key.
  emails text[] not null,
  expires_at timestamptz,
  revoked boolean not null,
  created_at timestamptz not null default now(),
  unique (user_id, fingerprint)
);
create index gpg_keys_ids on gpg_keys using gin (key_ids);
grant select, insert, delete on gpg_keys to forgeline_app;

-- Public halves of the keys with which this instance has signed commits that it made. They stay when the keyring changes, so that
-- such commits stay verified; private halves are derived from the keyring.
create table commit_signing_keys (
  -- `SHA256:…`, as `ssh-keygen -l` shows it.
  fingerprint text primary key,
  public_key text not null,
  created_at timestamptz not null default now()
);
grant select, insert on commit_signing_keys to forgeline_app;
