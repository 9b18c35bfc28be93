-- Whether the member said yes: who was merely put into an organization does not let it see when they sign in.
alter table organization_members add column agreed boolean not null default true;
