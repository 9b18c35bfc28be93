-- A key is a person's or a repository's: one table, so that a fingerprint names one actor on the instance.
alter table ssh_keys
  alter column user_id drop not null,
  add column repository_id text references repositories (id) on delete cascade,
  -- What a repository's key may do there.
  add column permission text check (permission in ('read', 'write')),
  -- Who put a repository's key there.
  add column added_by text references users (id) on delete set null,
  add constraint ssh_keys_one_actor check (
    (user_id is null) <> (repository_id is null) and (repository_id is null) = (permission is null));
create index ssh_keys_repository on ssh_keys (repository_id, id desc) where repository_id is not null;
create index ssh_keys_added_by on ssh_keys (added_by) where added_by is not null;
