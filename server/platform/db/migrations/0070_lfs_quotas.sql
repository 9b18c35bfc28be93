-- Git LFS storage of single owners, where it is not what the instance says for their plan.
create table lfs_quotas (
  owner_id text primary key references owners (id) on delete cascade,
  bytes bigint not null check (bytes >= 0)
);
grant select, insert, update, delete on lfs_quotas to forgeline_app;
