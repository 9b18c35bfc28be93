-- What a repository is called. One that was deleted keeps its name until it is removed, and another may have taken it by then.
create view repository_names as
  select r.id as repository_id, r.owner_id, o.name as owner, r.name, o.name || '/' || r.name as full_name, r.deleted_at
  from repositories r join owners o on o.id = r.owner_id;
grant select on repository_names to forgeline_app;
