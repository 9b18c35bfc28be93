-- Whom an event asks for a review by teams, and who asked for what it ends: a merge by itself, or by the queue.
alter table tellings
  add column asked_team_ids text[] not null default '{}',
  add column asker_ids text[] not null default '{}';

-- What an entry says as soon as no run waits for somebody's approval any more, if that is news to them; null: nothing.
alter table notifications
  add column otherwise_reason text,
  add column otherwise_event text,
  add column otherwise_actor_id text references users (id) on delete set null;
create index notifications_otherwise_actor on notifications (otherwise_actor_id) where otherwise_actor_id is not null;
