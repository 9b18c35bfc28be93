-- Invitations into organizations, for people who have an account; good for a week.
create table organization_invitations (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  role text not null check (role in ('owner', 'member')),
  invited_by text references users (id) on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  unique (organization_id, user_id)
);
create index organization_invitations_user on organization_invitations (user_id);
grant select, insert, update, delete on organization_invitations to forgeline_app;
