-- What somebody wants to get by mail of what they are told. Without a row: the defaults of the columns.
create table notification_settings (
  user_id text primary key references users (id) on delete cascade,
  mail_participating boolean not null default true,
  mail_watching boolean not null default true,
  -- One of their verified addresses; null: the primary one.
  email_id text references user_emails (id) on delete set null,
  digest text not null default 'immediately' check (digest in ('immediately', 'hourly', 'daily')),
  -- HH:MM, of a daily digest.
  digest_at text not null default '08:00' check (digest_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  time_zone text not null default 'UTC' check (length(time_zone) between 1 and 64),
  -- HH:MM; null: no quiet hours.
  quiet_from text check (quiet_from ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  quiet_to text check (quiet_to ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  -- On which days they begin.
  quiet_days text[] not null default '{}',
  updated_at timestamptz not null default now(),
  check ((quiet_from is null) = (quiet_to is null))
);
create index notification_settings_email on notification_settings (email_id) where email_id is not null;
grant select, insert, update, delete on notification_settings to forgeline_app;

-- One event of which one person is told by mail. It goes with its mail, or when nothing is to be sent.
create table notification_mails (
  id bigint generated always as identity primary key,
  -- That of the event.
  position bigint not null,
  user_id text not null references users (id) on delete cascade,
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
  unique (position, user_id)
);
create index notification_mails_due on notification_mails (due_at) where mail_id is null;
create index notification_mails_user on notification_mails (user_id, due_at);
create index notification_mails_mail on notification_mails (mail_id) where mail_id is not null;
create index notification_mails_item on notification_mails (work_item_id);
create index notification_mails_actor on notification_mails (actor_id) where actor_id is not null;
grant select, insert, update, delete on notification_mails to forgeline_app;

-- Null for events that an earlier release took: their mails have no text.
alter table tellings add column text_id text;

-- Of mails that are written only when they are sent, behind those that somebody waits for: when that is tried next. Their
-- `next_try_at` never comes, so that servers of earlier releases leave them alone.
alter table mails add column late_try_at timestamptz;
create index mails_late on mails (late_try_at) where late_try_at is not null and sent_at is null and failed_at is null;

-- What an answer by mail belongs to; its number is in the address to which people answer.
create table reply_addresses (
  number bigint generated always as identity primary key,
  user_id text not null references users (id) on delete cascade,
  work_item_id text not null references work_items (id) on delete cascade,
  -- A thread on changes; null: the conversation.
  thread_id text references review_threads (id) on delete cascade,
  -- The last time that it was in a mail.
  mailed_at timestamptz not null default now(),
  unique nulls not distinct (user_id, work_item_id, thread_id)
);
create index reply_addresses_item on reply_addresses (work_item_id);
create index reply_addresses_thread on reply_addresses (thread_id) where thread_id is not null;
grant select, insert, update, delete on reply_addresses to forgeline_app;

-- Answers that came by mail, so that each counts once, and for the bounds of each person.
create table inbound_mails (
  id bigint generated always as identity primary key,
  user_id text not null references users (id) on delete cascade,
  -- SHA-256 of its Message-ID.
  message_hash bytea not null,
  -- Whether they were told by mail that it became no comment.
  answered boolean not null default false,
  created_at timestamptz not null default now(),
  unique (user_id, message_hash)
);
create index inbound_mails_age on inbound_mails (created_at);
grant select, insert, update, delete on inbound_mails to forgeline_app;
