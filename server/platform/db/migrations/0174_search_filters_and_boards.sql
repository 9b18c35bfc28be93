-- One word, or words that follow each other, as `search` columns find them; with `beginning` also words that begin so. Null-safe: nothing
-- but punctuation finds nothing.
create function search_term(words text, beginning boolean) returns tsquery language sql immutable parallel safe
  return case when beginning and numnode(phraseto_tsquery('simple', words)) > 0
    then (phraseto_tsquery('simple', words)::text || ':*')::tsquery
    else phraseto_tsquery('simple', words) end;

-- What people search for, in no one language, as in `work_items`.
alter table comments add column search tsvector not null
  generated always as (to_tsvector('simple', left(body, 65536))) stored;
create index comments_search on comments using gin (search) where not is_pending;

-- A board of a repository: its open issues in columns by label, between those without any of these labels and the closed ones.
create table boards (
  id text primary key,
  repository_id text not null references repositories (id) on delete cascade,
  name text not null check (length(name) between 1 and 100),
  -- Only issues that this query finds; empty: all.
  filter text not null default '' check (length(filter) <= 500),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index boards_name on boards (repository_id, lower(name));
grant select, insert, update, delete on boards to forgeline_app;

create table board_columns (
  board_id text not null references boards (id) on delete cascade,
  -- A column goes with its label.
  label_id text not null references labels (id) on delete cascade,
  position integer not null check (position between 0 and 19),
  primary key (board_id, label_id)
);
create index board_columns_label on board_columns (label_id);
grant select, insert, update, delete on board_columns to forgeline_app;

-- Where somebody put an issue by hand, in the order of the whole board, the least first. One without a row stands at minus its number, so
-- that the newest comes first; no two ever stand at the same place.
create table board_places (
  board_id text not null references boards (id) on delete cascade,
  work_item_id text not null references work_items (id) on delete cascade,
  place numeric not null,
  primary key (board_id, work_item_id),
  -- Checked at the end of a statement, which may spread many anew.
  constraint board_places_order unique (board_id, place) deferrable
);
create index board_places_item on board_places (work_item_id);
grant select, insert, update, delete on board_places to forgeline_app;

-- A query that somebody keeps under a name: for lists of one repository, or for all they see.
create table saved_filters (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  -- Null: for the search in all repositories.
  repository_id text references repositories (id) on delete cascade,
  kind text not null check (kind in ('issue', 'merge_request')),
  name text not null check (length(name) between 1 and 100),
  query text not null check (length(query) between 1 and 500),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index saved_filters_name on saved_filters (user_id, coalesce(repository_id, ''), kind, lower(name));
create index saved_filters_repository on saved_filters (repository_id) where repository_id is not null;
grant select, insert, update, delete on saved_filters to forgeline_app;
