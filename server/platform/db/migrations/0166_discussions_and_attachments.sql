-- The last number that a team has given to a discussion. It never falls.
create table team_discussion_numbers (
  team_id text primary key references teams (id) on delete cascade,
  last integer not null check (last > 0)
);
grant select, insert, update on team_discussion_numbers to forgeline_app;

-- A discussion on the board of a team.
create table team_discussions (
  id text primary key,
  team_id text not null references teams (id) on delete cascade,
  number integer not null,
  title text not null check (length(title) between 1 and 255),
  body text not null default '',
  -- Null: the account was deleted.
  author_id text references users (id) on delete set null,
  -- Only the team reads it, and the owners of its organization.
  private boolean not null default false,
  -- Only those who maintain the team may reply.
  locked boolean not null default false,
  pinned_at timestamptz,
  replies_count integer not null default 0,
  edited_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (team_id, number)
);
create index team_discussions_author on team_discussions (author_id) where author_id is not null;
grant select, insert, update, delete on team_discussions to forgeline_app;

-- A reply to a discussion, or to another reply.
create table team_discussion_replies (
  id text primary key,
  discussion_id text not null references team_discussions (id) on delete cascade,
  author_id text references users (id) on delete set null,
  body text not null,
  -- The reply below which it stands; null: it stands for itself, or that one was deleted.
  reply_to text references team_discussion_replies (id) on delete set null,
  edited_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- As pages show them: each with those below it.
create index team_discussion_replies_of
  on team_discussion_replies (discussion_id, (coalesce(reply_to, id)), (reply_to is not null), id);
create index team_discussion_replies_below on team_discussion_replies (reply_to) where reply_to is not null;
create index team_discussion_replies_author on team_discussion_replies (author_id) where author_id is not null;
grant select, insert, update, delete on team_discussion_replies to forgeline_app;
