-- Where that goes which concerns a team as a team. Without a row: to each of its members.
create table team_routings (
  team_id text primary key references teams (id) on delete cascade,
  -- [{events, repository_ids, to}]: the first that fits decides; null in place of a list: all.
  rules jsonb not null,
  -- The shared address; null: there is none.
  address text check (length(address) between 3 and 254),
  address_state text not null default 'unconfirmed' check (address_state in ('unconfirmed', 'confirmed', 'unsubscribed')),
  -- Mails that asked somebody to confirm an address, since this time.
  asked_since timestamptz not null default now(),
  asked_count integer not null default 0,
  digest text not null check (digest in ('immediately', 'hourly', 'daily')),
  -- HH:MM, of a daily digest.
  digest_at text not null check (digest_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  time_zone text not null check (length(time_zone) between 1 and 64),
  -- HH:MM; null: no quiet hours.
  quiet_from text check (quiet_from ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  quiet_to text check (quiet_to ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  -- On which days they begin.
  quiet_days text[] not null default '{}',
  updated_at timestamptz not null default now(),
  check ((quiet_from is null) = (quiet_to is null))
);
grant select, insert, update, delete on team_routings to forgeline_app;

-- One event of which the shared address of a team is told. It goes with its mail, or when nothing is to be sent.
create table team_mails (
  id bigint generated always as identity primary key,
  -- That of the event.
  position bigint not null,
  team_id text not null references teams (id) on delete cascade,
  work_item_id text not null references work_items (id) on delete cascade,
  actor_id text references users (id) on delete set null,
  event text not null check (length(event) between 1 and 63),
  -- The text that came with the event: of the issue or merge request itself, a comment or a review.
  text_id text,
  reason text not null,
  due_at timestamptz not null,
  -- It is sent together with what else is due then.
  in_digest boolean not null,
  -- In the queue of mails; null: it waits until it is due.
  mail_id text references mails (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (position, team_id)
);
create index team_mails_due on team_mails (due_at) where mail_id is null;
create index team_mails_team on team_mails (team_id, due_at);
create index team_mails_mail on team_mails (mail_id) where mail_id is not null;
create index team_mails_item on team_mails (work_item_id);
create index team_mails_actor on team_mails (actor_id) where actor_id is not null;
grant select, insert, update, delete on team_mails to forgeline_app;
