-- Bots: what goes beyond a user's record.
create table bots (
  user_id text primary key references users (id) on delete cascade,
  -- In addresses, after the organization's.
  name text not null,
  -- The most that a token of it may have.
  scopes text[] not null
);
grant select, insert, update, delete on bots to forgeline_app;

-- What a bot did stays when the bot goes: its user's record stays, too, and is then of no organization.
alter table users drop constraint users_bot_organization;
alter table users add constraint users_bot_organization check (type = 'bot' or organization_id is null);
