-- Files with entries of an audit log, which a worker writes to object storage. Files are removed after 7 days, rows after 30.
create table audit_exports (
  id text primary key,
  -- Null: the instance's log.
  organization_id text references organizations (id) on delete cascade,
  format text not null check (format in ('json', 'jsonl', 'csv')),
  filters jsonb not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed')),
  -- The last link of the chain when it began: what comes later is not in it.
  end_number bigint,
  -- Everything up to this link is in the parts that are stored.
  done_number bigint not null default 0,
  part_count integer not null default 0,
  entry_count bigint not null default 0,
  size_bytes bigint,
  sha256 text,
  error text,
  requested_by text references users (id) on delete set null,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  removed_at timestamptz
);
create index audit_exports_of_log on audit_exports (organization_id, id);
create index audit_exports_old on audit_exports (created_at);
grant select, insert, update, delete on audit_exports to forgeline_app;
