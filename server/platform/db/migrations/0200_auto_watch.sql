-- Whether somebody watches the repositories that they create or are given.
alter table notification_settings add column auto_watch boolean not null default true;
