-- What somebody wants to be told of a repository. Without a row: of what involves them.
create table repository_subscriptions (
  repository_id text not null references repositories (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  level text not null check (level in ('watching', 'custom', 'muted')),
  -- With `custom`: the kinds of records.
  kinds text[] not null default '{}',
  updated_at timestamptz not null default now(),
  primary key (repository_id, user_id)
);
create index repository_subscriptions_user on repository_subscriptions (user_id);
grant select, insert, update, delete on repository_subscriptions to forgeline_app;

-- Who subscribed to one issue or merge request, or muted it. Authors, assignees and commenters need no row.
create table work_item_subscriptions (
  work_item_id text not null references work_items (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  state text not null check (state in ('subscribed', 'muted')),
  -- `mention`: because a text named them.
  reason text not null check (reason in ('manual', 'mention')),
  created_at timestamptz not null default now(),
  primary key (work_item_id, user_id)
);
create index work_item_subscriptions_user on work_item_subscriptions (user_id);
grant select, insert, update, delete on work_item_subscriptions to forgeline_app;

-- What people have been told of a text already, by the id of its issue, merge request or comment: an edit tells of what is new.
create table told_texts (
  id text primary key,
  work_item_id text not null references work_items (id) on delete cascade,
  -- Names, in lower case.
  mentions text[] not null default '{}',
  assignee_ids text[] not null default '{}',
  -- Of a merge request.
  reviewer_ids text[] not null default '{}'
);
create index told_texts_of on told_texts (work_item_id);
grant select, insert, update, delete on told_texts to forgeline_app;
insert into told_texts (id, work_item_id, assignee_ids)
  select work_item_id, work_item_id, array_agg(user_id) from work_item_assignees group by work_item_id;

-- Events of which people are still to be told, in batches.
create table tellings (
  -- That of the event.
  position bigint primary key,
  repository_id text not null references repositories (id) on delete cascade,
  work_item_id text not null references work_items (id) on delete cascade,
  actor_id text references users (id) on delete set null,
  event text not null check (length(event) between 1 and 63),
  -- An edit: it is told to those whom it newly names alone.
  only_named boolean not null,
  mentioned_ids text[] not null,
  team_ids text[] not null,
  assignee_ids text[] not null,
  reviewer_ids text[] not null,
  -- The last one, in the order of ids, who has been told.
  told_up_to text not null default '',
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index tellings_due on tellings (due_at);
create index tellings_repository on tellings (repository_id);
create index tellings_item on tellings (work_item_id);
create index tellings_actor on tellings (actor_id) where actor_id is not null;
grant select, insert, update, delete on tellings to forgeline_app;

-- The inbox: one entry for each person and issue or merge request, which later events renew.
create table notifications (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  repository_id text not null references repositories (id) on delete cascade,
  work_item_id text not null references work_items (id) on delete cascade,
  reason text not null,
  -- The last event, and who caused it.
  event text not null,
  actor_id text references users (id) on delete set null,
  unread boolean not null default true,
  -- Events since it was read.
  new_events integer not null default 1,
  saved_at timestamptz,
  done_at timestamptz,
  read_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, work_item_id)
);
create index notifications_inbox on notifications (user_id, updated_at desc, id desc) where done_at is null;
create index notifications_unread on notifications (user_id, repository_id) where unread;
create index notifications_all on notifications (user_id, repository_id, updated_at desc);
create index notifications_old on notifications (updated_at) where saved_at is null;
create index notifications_item on notifications (work_item_id);
create index notifications_repository on notifications (repository_id);
create index notifications_actor on notifications (actor_id) where actor_id is not null;
grant select, insert, update, delete on notifications to forgeline_app;

insert into event_followers (name, position) select 'notifications', coalesce(max(position), 0) from events;
