-- Files of exports of other hosts, kept until imports have read them.
create table import_archives (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  name text not null,
  -- Null until all of it is stored.
  size_bytes bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index import_archives_of on import_archives (user_id, id);
grant select, insert, update, delete on import_archives to forgeline_app;

-- The archive can be gone when the import has ended.
alter table imports
  add column archive_id text references import_archives (id) on delete set null,
  add column from_archive boolean not null default false;
create index imports_of_archive on imports (archive_id) where archive_id is not null;

-- What an archive holds, as the API of its host would answer it, while the import needs it.
create table import_records (
  import_id text not null references imports (id) on delete cascade,
  list text not null,
  -- Of the issue or merge request there; 0: the list is of the whole repository.
  number integer not null,
  position integer not null,
  record jsonb not null,
  primary key (import_id, list, number, position)
);
grant select, insert, delete on import_records to forgeline_app;
