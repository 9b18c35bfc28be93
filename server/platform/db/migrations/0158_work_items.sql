-- Labels of a repository, for issues and merge requests.
create table labels (
  id text primary key,
  repository_id text not null references repositories (id) on delete cascade,
  name text not null check (length(name) between 1 and 100),
  -- Six hexadecimal digits.
  color text not null check (color ~ '^[0-9a-f]{6}$'),
  description text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index labels_name on labels (repository_id, lower(name));
grant select, insert, update, delete on labels to forgeline_app;

create table milestones (
  id text primary key,
  repository_id text not null references repositories (id) on delete cascade,
  title text not null check (length(title) between 1 and 255),
  description text not null default '',
  due_on date,
  state text not null default 'open' check (state in ('open', 'closed')),
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index milestones_title on milestones (repository_id, lower(title));
grant select, insert, update, delete on milestones to forgeline_app;

-- The last number that a repository has given to an issue or a merge request. It never falls.
create table work_item_numbers (
  repository_id text primary key references repositories (id) on delete cascade,
  last integer not null check (last > 0)
);
grant select, insert, update on work_item_numbers to forgeline_app;

-- An issue or a merge request: what both have.
create table work_items (
  id text primary key,
  repository_id text not null references repositories (id) on delete cascade,
  number integer not null,
  kind text not null check (kind in ('issue', 'merge_request')),
  title text not null check (length(title) between 1 and 255),
  body text not null default '',
  state text not null default 'open' check (state in ('open', 'closed', 'merged')),
  -- Why an issue was closed; null while it is open, and for merge requests.
  state_reason text check (state_reason in ('completed', 'not_planned', 'duplicate')),
  -- Null: the account was deleted.
  author_id text references users (id) on delete set null,
  milestone_id text references milestones (id) on delete set null,
  due_on date,
  -- Only those with Triage may comment.
  locked boolean not null default false,
  pinned_at timestamptz,
  comments_count integer not null default 0,
  closed_at timestamptz,
  closed_by text references users (id) on delete set null,
  edited_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- What people search for, in no one language.
  search tsvector not null generated always as (
    setweight(to_tsvector('simple', title), 'A') || setweight(to_tsvector('simple', left(body, 65536)), 'B')
  ) stored,
  unique (repository_id, number)
);
-- Lists show the newest first, by state.
create index work_items_list on work_items (repository_id, kind, state, number desc);
create index work_items_milestone on work_items (milestone_id) where milestone_id is not null;
create index work_items_author on work_items (author_id) where author_id is not null;
create index work_items_search on work_items using gin (search);
grant select, insert, update, delete on work_items to forgeline_app;

create table work_item_labels (
  work_item_id text not null references work_items (id) on delete cascade,
  label_id text not null references labels (id) on delete cascade,
  primary key (work_item_id, label_id)
);
create index work_item_labels_label on work_item_labels (label_id);
grant select, insert, delete on work_item_labels to forgeline_app;

create table work_item_assignees (
  work_item_id text not null references work_items (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  primary key (work_item_id, user_id)
);
create index work_item_assignees_user on work_item_assignees (user_id);
grant select, insert, delete on work_item_assignees to forgeline_app;

-- What happened to an issue or a merge request, for its timeline, in order of their ids.
create table work_item_events (
  id bigint generated always as identity primary key,
  work_item_id text not null references work_items (id) on delete cascade,
  kind text not null check (length(kind) between 1 and 63),
  -- Null: the account was deleted, or the system did it.
  actor_id text references users (id) on delete set null,
  -- Names as they were then.
  details jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index work_item_events_of on work_item_events (work_item_id, id);
grant select, insert on work_item_events to forgeline_app;

-- Texts below an issue or a merge request.
create table comments (
  id text primary key,
  work_item_id text not null references work_items (id) on delete cascade,
  repository_id text not null references repositories (id) on delete cascade,
  author_id text references users (id) on delete set null,
  body text not null,
  edited_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index comments_of on comments (work_item_id, id);
create index comments_repository on comments (repository_id);
create index comments_author on comments (author_id) where author_id is not null;
grant select, insert, update, delete on comments to forgeline_app;
