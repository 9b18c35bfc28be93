-- When a team was last told, in a place of its own, that it is asked to review a merge request: who takes it off the list and adds it
-- again tells that place no more often than a member.
create table team_review_tellings (
  team_id text not null references teams (id) on delete cascade,
  work_item_id text not null references work_items (id) on delete cascade,
  told_at timestamptz not null default now(),
  primary key (team_id, work_item_id)
);
create index team_review_tellings_item on team_review_tellings (work_item_id);
grant select, insert, update, delete on team_review_tellings to forgeline_app;
