-- Keys that sign identity tokens of jobs. A key is published before it is used, and stays published while tokens of it may be valid.
create table id_token_keys (
  id text primary key,
  sealed_private_key bytea not null,
  -- JWK with its kid.
  public_key jsonb not null,
  created_at timestamptz not null default now(),
  current_from timestamptz not null
);
grant select, insert, update, delete on id_token_keys to forgeline_app;

-- The tokens of each attempt, without their signatures: a runner that was restarted gets the same again.
create table id_tokens (
  attempt_id text not null references job_attempts (id) on delete cascade,
  name text not null,
  key_id text not null,
  claims text not null,
  issued_at timestamptz not null default now(),
  primary key (attempt_id, name)
);
grant select, insert on id_tokens to forgeline_app;
