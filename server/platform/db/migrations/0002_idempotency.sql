-- First answers to POST requests that carried an Idempotency-Key; kept 24 hours. `status` is null while the first
-- request is being answered. Answers that show a secret are kept without their body.
create table idempotency_keys (
  user_id text not null references users (id) on delete cascade,
  operation text not null,
  key text not null,
  body_hash bytea not null,
  status integer,
  headers jsonb,
  body text,
  secret boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (user_id, operation, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

grant select, insert, update, delete on idempotency_keys to forgeline_app;
