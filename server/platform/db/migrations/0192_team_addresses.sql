-- What was done with mail addresses that somebody chose for a team, of the whole instance: it outlives the team, because who makes
-- teams anew could otherwise send mails to anybody.
create table team_address_asks (
  id bigint generated always as identity primary key,
  -- Of the mail address in lower case, which itself is not kept.
  digest text not null,
  -- `asked`: a mail asked to confirm it; `ended`: whoever reads there wants no more of them.
  what text not null check (what in ('asked', 'ended')),
  -- Who had it asked.
  actor_id text references users (id) on delete set null,
  at timestamptz not null default now()
);
create index team_address_asks_digest on team_address_asks (digest, at);
create index team_address_asks_actor on team_address_asks (actor_id, at) where actor_id is not null;
create index team_address_asks_at on team_address_asks (at);
grant select, insert, update, delete on team_address_asks to forgeline_app;

-- Who chose the address, or last had it asked: mails go there only while they manage the team. Of those that were chosen before, nobody
-- is known: they are confirmed again.
alter table team_routings add column set_by text references users (id) on delete set null;
create index team_routings_set_by on team_routings (set_by) where set_by is not null;
