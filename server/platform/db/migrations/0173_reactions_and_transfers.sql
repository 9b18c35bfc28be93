-- What somebody thinks of a text, in one sign: of an issue or a merge request, a comment, a discussion or a reply.
create table reactions (
  id bigint primary key generated always as identity,
  work_item_id text references work_items (id) on delete cascade,
  comment_id text references comments (id) on delete cascade,
  discussion_id text references team_discussions (id) on delete cascade,
  reply_id text references team_discussion_replies (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  name text not null check (name in ('+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes')),
  created_at timestamptz not null default now(),
  check (num_nonnulls(work_item_id, comment_id, discussion_id, reply_id) = 1),
  -- The text, whatever it is.
  subject_id text not null generated always as (coalesce(work_item_id, comment_id, discussion_id, reply_id)) stored,
  unique (subject_id, name, user_id)
);
create index reactions_of_item on reactions (work_item_id) where work_item_id is not null;
create index reactions_of_comment on reactions (comment_id) where comment_id is not null;
create index reactions_of_discussion on reactions (discussion_id) where discussion_id is not null;
create index reactions_of_reply on reactions (reply_id) where reply_id is not null;
create index reactions_user on reactions (user_id);
grant select, insert, delete on reactions to forgeline_app;

-- The issue that says the same, of one that is closed as a duplicate.
alter table work_items add column duplicate_of text references work_items (id) on delete set null;
create index work_items_duplicates on work_items (duplicate_of) where duplicate_of is not null;

-- Where an issue was before it came to another repository: its old address leads to it.
create table work_item_moves (
  repository_id text not null references repositories (id) on delete cascade,
  number integer not null,
  work_item_id text not null references work_items (id) on delete cascade,
  moved_at timestamptz not null default now(),
  primary key (repository_id, number)
);
create index work_item_moves_of on work_item_moves (work_item_id);
grant select, insert on work_item_moves to forgeline_app;

-- The issue that a discussion has become.
alter table team_discussions add column issue_id text references work_items (id) on delete set null;
create index team_discussions_issue on team_discussions (issue_id) where issue_id is not null;

-- Where the bytes are of an attachment that came with an issue from another repository. Null: at its own place, by its own id.
alter table attachments add column bytes_place text, add column bytes_id text;
create index attachments_bytes on attachments (bytes_id) where bytes_id is not null;
