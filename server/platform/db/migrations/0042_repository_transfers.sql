-- Repositories that were offered to another owner, who has a week to accept.
create table repository_transfers (
  repository_id text primary key references repositories (id) on delete cascade,
  receiver_id text not null references owners (id) on delete cascade,
  requested_by text references users (id) on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days'
);
create index repository_transfers_receiver on repository_transfers (receiver_id);
grant select, insert, update, delete on repository_transfers to forgeline_app;
