-- Uploads of Git LFS objects that go through a server now: one of each object, which also bounds those of one owner.
create table lfs_uploads (
  repository_id text not null references repositories (id) on delete cascade,
  oid text not null,
  -- Which upload it is: one that was taken for dead finds another's name here.
  holder text not null,
  started_at timestamptz not null default clock_timestamp(),
  -- Moved on while the upload lives; past it, whoever comes next may take the place.
  expires_at timestamptz not null,
  primary key (repository_id, oid)
);
grant select, insert, update, delete on lfs_uploads to forgeline_app;
-- Objects that were announced and have not come, which are bounded for each owner.
create index lfs_objects_open on lfs_objects (repository_id) where stored_at is null;
