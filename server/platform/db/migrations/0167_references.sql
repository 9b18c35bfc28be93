-- Which issues and merge requests a text names: the description of another one, or a comment below it.
create table work_item_references (
  id bigint generated always as identity primary key,
  source_id text not null references work_items (id) on delete cascade,
  -- Null: title and description.
  comment_id text references comments (id) on delete cascade,
  target_id text not null references work_items (id) on delete cascade,
  -- "Fixes #12": the target is closed when the source is merged.
  closes boolean not null,
  unique nulls not distinct (source_id, comment_id, target_id)
);
create index work_item_references_to on work_item_references (target_id);
create index work_item_references_of_comment on work_item_references (comment_id) where comment_id is not null;
grant select, insert, update, delete on work_item_references to forgeline_app;

-- What named the item, or closed it.
alter table work_item_events add column source_id text references work_items (id) on delete set null;
create index work_item_events_from on work_item_events (source_id, work_item_id) where source_id is not null;
