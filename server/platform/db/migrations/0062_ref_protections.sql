-- Rules for branches or tags whose short name matches a pattern. The unique key is also what each push looks up.
create table ref_protections (
  id text primary key,
  repository_id text not null references repositories (id) on delete cascade,
  kind text not null check (kind in ('branch', 'tag')),
  pattern text not null,
  -- Of tags: who may create them. `none`: only whom the rule names.
  push_level text not null check (push_level in ('write', 'maintain', 'admin', 'none')),
  allow_force_push boolean not null default false,
  allow_deletion boolean not null default false,
  required_approvals smallint not null default 0 check (required_approvals between 0 and 100),
  require_pipeline boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (repository_id, kind, pattern)
);
grant select, insert, update, delete on ref_protections to forgeline_app;

-- Whom a rule names: they need not have its level.
create table ref_protection_pushers (
  protection_id text not null references ref_protections (id) on delete cascade,
  user_id text references users (id) on delete cascade,
  team_id text references teams (id) on delete cascade,
  check (num_nonnulls(user_id, team_id) = 1),
  unique (protection_id, user_id),
  unique (protection_id, team_id)
);
create index ref_protection_pushers_user on ref_protection_pushers (user_id) where user_id is not null;
create index ref_protection_pushers_team on ref_protection_pushers (team_id) where team_id is not null;
grant select, insert, delete on ref_protection_pushers to forgeline_app;

-- Whether a commit has passed is asked at pushes to branches that require it.
create index pipelines_passed on pipelines (repository_id, sha) where status = 'success';
