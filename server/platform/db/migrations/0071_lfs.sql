-- Git LFS: which objects a repository has, and who holds which file. A row without `stored_at` reserves room for an upload.
create table lfs_objects (
  repository_id text not null references repositories (id) on delete cascade,
  oid text not null check (oid ~ '^[0-9a-f]{64}$'),
  size_bytes bigint not null check (size_bytes >= 0),
  -- When bytes that were sent to this repository had been found to be this object.
  stored_at timestamptz,
  -- Until when room is reserved; null once stored.
  expires_at timestamptz,
  uploaded_by text references users (id) on delete set null,
  created_at timestamptz not null default now(),
  primary key (repository_id, oid),
  constraint lfs_objects_stored_or_reserved check ((stored_at is null) <> (expires_at is null))
);
create index lfs_objects_expiring on lfs_objects (expires_at) where expires_at is not null;
create index lfs_objects_uploaded_by on lfs_objects (uploaded_by) where uploaded_by is not null;

create table lfs_locks (
  id text primary key,
  repository_id text not null references repositories (id) on delete cascade,
  path text not null,
  owner_id text not null references users (id) on delete cascade,
  locked_at timestamptz(3) not null default now(),
  unique (repository_id, path)
);
create index lfs_locks_of_repository on lfs_locks (repository_id, id);
create index lfs_locks_owner on lfs_locks (owner_id);

alter table repository_measurements
  add column lfs_bytes bigint not null default 0,
  drop column total_bytes;
alter table repository_measurements
  add column total_bytes bigint generated always as (git_bytes + log_bytes + lfs_bytes) stored;
create index repository_measurements_total on repository_measurements (total_bytes desc, repository_id);

grant select, insert, update, delete on lfs_objects, lfs_locks to forgeline_app;
