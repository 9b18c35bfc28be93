-- What has been given of each limit in the running window. `subject` is a user, an address, a webhook; `taken` counts
-- what processes have reserved, used or not; `granted` is what the last reservation got, for its answer.
create table rate_limit_windows (
  category text not null,
  subject text not null,
  started_at timestamptz not null,
  ends_at timestamptz not null,
  requests bigint not null,
  taken bigint not null,
  granted bigint not null,
  primary key (category, subject)
) with (fillfactor = 70);
create index rate_limit_windows_end on rate_limit_windows (ends_at);

-- Limits of single users and organizations that differ from the instance's.
create table rate_limit_overrides (
  owner_id text not null references owners (id) on delete cascade,
  category text not null,
  requests bigint not null check (requests > 0),
  primary key (owner_id, category)
);

grant select, insert, update, delete on rate_limit_windows, rate_limit_overrides to forgeline_app;
