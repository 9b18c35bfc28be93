-- What a team is called: its organization's name, and its path below the teams that it is nested in.
create view team_names as
  select t.id as team_id, o.name || '/' || t.path as full_name
  from teams t join owners o on o.id = t.organization_id;
grant select on team_names to forgeline_app;
