-- Endpoints that are told of events of one repository or organization.
create table webhooks (
  id text primary key,
  repository_id text references repositories (id) on delete cascade,
  organization_id text references organizations (id) on delete cascade,
  -- Encrypted, because it may contain secrets; `shown_url` is without them.
  sealed_url bytea not null,
  shown_url text not null,
  event_kinds text[] not null,
  active boolean not null default true,
  ordered boolean not null default false,
  ca_certificate text,
  sealed_secret bytea not null,
  -- The one before, which also signs until then.
  sealed_previous_secret bytea,
  previous_until timestamptz,
  disabled_reason text check (disabled_reason in ('failing', 'transferred')),
  -- The number of the next delivery.
  next_number bigint not null default 1,
  -- Since the last success.
  failing_since timestamptz,
  consecutive_failures int not null default 0,
  -- While set, nothing is sent before a try succeeds; the next try is due then.
  retry_at timestamptz,
  -- Requests counted against the hourly limit.
  window_started_at timestamptz not null default '-infinity',
  window_count int not null default 0,
  -- Deleted by its owner; the row goes when its deliveries have gone.
  deleted_at timestamptz,
  created_by text references users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (num_nonnulls(repository_id, organization_id) = 1)
);
grant select, insert, update, delete on webhooks to forgeline_app;
create index webhooks_deleted on webhooks (deleted_at) where deleted_at is not null;
create index webhooks_repository on webhooks (repository_id) where repository_id is not null;
create index webhooks_organization on webhooks (organization_id) where organization_id is not null;

-- One event for one endpoint.
create table webhook_deliveries (
  id text primary key,
  webhook_id text not null references webhooks (id) on delete cascade,
  -- Rises with each delivery of the endpoint.
  number bigint not null,
  event_position bigint not null,
  event text not null,
  action text not null,
  -- Sent on request, to try the endpoint: a ping, or an event once more.
  test boolean not null default false,
  status text not null default 'pending' check (status in ('pending', 'retrying', 'delivered', 'failed')),
  -- Of this series: somebody who asks for another delivery begins a new one.
  tries int not null default 0,
  -- In all series.
  attempts_count int not null default 0,
  series_started_at timestamptz not null default now(),
  next_attempt_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  unique (webhook_id, number)
);
grant select, insert, update, delete on webhook_deliveries to forgeline_app;
create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, status, number) where status in ('pending', 'retrying');
create index webhook_deliveries_created on webhook_deliveries (created_at);

-- One request.
create table webhook_attempts (
  delivery_id text not null references webhook_deliveries (id) on delete cascade,
  attempt int not null,
  at timestamptz not null,
  duration_ms int not null,
  -- null: there was no response.
  response_status int,
  -- A code of ours; null if the attempt counted as delivered.
  error text,
  request_headers jsonb not null,
  response_headers jsonb,
  response_body text,
  -- Of the response: more came than is kept.
  truncated boolean not null default false,
  primary key (delivery_id, attempt)
);
grant select, insert, delete on webhook_attempts to forgeline_app;
