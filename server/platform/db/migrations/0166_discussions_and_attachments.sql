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

-- A file that belongs to texts in a repository, or on the board of a team; its bytes are in object storage.
create table attachments (
  id text primary key,
  repository_id text references repositories (id) on delete cascade,
  team_id text references teams (id) on delete cascade,
  -- Null: the account was deleted.
  uploader_id text references users (id) on delete set null,
  name text not null check (length(name) between 1 and 200),
  content_type text not null,
  -- Until it is stored: what it may become.
  size_bytes bigint not null,
  -- Null: it is on its way.
  stored_at timestamptz,
  -- Null: no text that is saved was seen to mention it.
  used_at timestamptz,
  -- Of a team: a discussion that is not private mentions it.
  open boolean not null default false,
  created_at timestamptz not null default now(),
  check ((repository_id is null) <> (team_id is null))
);
create index attachments_repository on attachments (repository_id) where repository_id is not null;
create index attachments_team on attachments (team_id) where team_id is not null;
create index attachments_uploader on attachments (uploader_id, created_at) where uploader_id is not null;
create index attachments_unused on attachments (created_at) where used_at is null;
grant select, insert, update, delete on attachments to forgeline_app;
