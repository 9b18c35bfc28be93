-- What administrators tell everybody who uses the instance.
create table announcements (
  id text primary key,
  message text not null,
  level text not null check (level in ('info', 'warning')),
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check (ends_at > starts_at)
);
create index announcements_ends on announcements (ends_at);
grant select, insert, delete on announcements to forgeline_app;
