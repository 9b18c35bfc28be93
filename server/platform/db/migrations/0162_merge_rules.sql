-- What rules for branches require of a merge request, who may merge, and who may merge all the same.
alter table ref_protections
  -- An approval counts only for the head that its author saw.
  add column dismiss_stale_approvals boolean not null default false,
  -- Somebody other than the last pusher has to approve what they pushed.
  add column require_last_push_approval boolean not null default false,
  add column require_code_owners boolean not null default false,
  -- `[{"pipeline": FILE, "job": NAME}]`, where `job` may be missing.
  add column required_checks jsonb not null default '[]' check (jsonb_typeof(required_checks) = 'array'),
  add column require_linear_history boolean not null default false,
  add column merge_strategies text[] not null default '{merge,squash,rebase,fast_forward}'
    check (cardinality(merge_strategies) > 0 and merge_strategies <@ '{merge,squash,rebase,fast_forward}'),
  -- `none`: only whom the rule names.
  add column merge_level text not null default 'write' check (merge_level in ('write', 'maintain', 'admin', 'none'));

-- Whom a rule names besides those who may push.
create table ref_protection_named (
  protection_id text not null references ref_protections (id) on delete cascade,
  -- `merge`: may merge, whatever their level. `bypass`: may merge although something that the rule requires is missing.
  role text not null check (role in ('merge', 'bypass')),
  user_id text references users (id) on delete cascade,
  team_id text references teams (id) on delete cascade,
  check (num_nonnulls(user_id, team_id) = 1),
  unique (protection_id, role, user_id),
  unique (protection_id, role, team_id)
);
create index ref_protection_named_user on ref_protection_named (user_id) where user_id is not null;
create index ref_protection_named_team on ref_protection_named (team_id) where team_id is not null;
grant select, insert, delete on ref_protection_named to forgeline_app;

-- Until now who might push decided about merges too: rules that exist let nobody merge who could not.
update ref_protections set merge_level = push_level where kind = 'branch';
insert into ref_protection_named (protection_id, role, user_id, team_id)
  select p.protection_id, 'merge', p.user_id, p.team_id
  from ref_protection_pushers p join ref_protections x on x.id = p.protection_id where x.kind = 'branch';

-- Why the merge that is under way, or has been, did without what rules require; null: it needed no exception.
alter table merge_requests
  add column bypass_reason text check (length(bypass_reason) between 1 and 1000);
