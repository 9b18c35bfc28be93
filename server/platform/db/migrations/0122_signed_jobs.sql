-- Keys that sign what jobs will execute: of the instance, or of one repository. All that a repository has sign at the same time.
create table job_signing_keys (
  id text primary key,
  -- Null: of the instance.
  repository_id text references repositories (id) on delete cascade,
  sealed_private_key bytea not null,
  -- The 32 bytes of an Ed25519 key.
  public_key bytea not null,
  created_by text references users (id) on delete set null,
  created_at timestamptz not null default now()
);
create index job_signing_keys_repository on job_signing_keys (repository_id);
grant select, insert, update, delete on job_signing_keys to forgeline_app;

-- What was signed of an attempt when it was queued, byte by byte. Attempts of repositories without keys have no row.
create table signed_jobs (
  attempt_id text primary key references job_attempts (id) on delete cascade,
  payload text not null,
  -- [{key, signature}], one for each key.
  signatures jsonb not null
);
grant select, insert on signed_jobs to forgeline_app;
