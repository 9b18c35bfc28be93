-- Where mails of what belongs to one organization go, of those who want them elsewhere than all others. A removed address takes its row along.
create table notification_addresses (
  user_id text not null references users (id) on delete cascade,
  organization_id text not null references owners (id) on delete cascade,
  email_id text not null references user_emails (id) on delete cascade,
  primary key (user_id, organization_id)
);
create index notification_addresses_organization on notification_addresses (organization_id);
create index notification_addresses_email on notification_addresses (email_id);
grant select, insert, update, delete on notification_addresses to forgeline_app;
