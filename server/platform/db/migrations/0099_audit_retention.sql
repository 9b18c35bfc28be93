-- How long entries of the audit log are kept, by plan, and what stands in their place in the chains (docs/architecture/audit.md).

-- Links up to `most` waiting entries (never more than 10,000 at once) to their chains and returns how many. One call at a time; the others
-- wait. Entries that somebody took away before they were linked go on waiting, for whoever verifies to be told, and hold up nobody. All links
-- are written at once, which is several times as fast as one by one.
create or replace function link_audit_entries(most integer default 1000) returns integer language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  item record;
  entry public.audit_log;
  head public.audit_heads;
  chains text[] := '{}';
  numbers bigint[] := '{}';
  seqs bigint[] := '{}';
  times timestamptz[] := '{}';
  hashes bytea[] := '{}';
begin
  perform pg_advisory_xact_lock(7310445);
  for item in
    select w.chain, w.entry from (
      select p.chain, p.entry_seq, x.entry from public.audit_pending p cross join lateral (
        select e as entry from public.audit_log e where e.seq = p.entry_seq and e.at = p.entry_at offset 0) x
      order by p.entry_seq limit least(greatest(coalesce(most, 1000), 0), 10000)) w
    order by w.chain, w.entry_seq
  loop
    entry := item.entry;
    if item.chain is distinct from head.chain then
      select * into head from public.audit_heads where chain = item.chain;
      if not found then
        head := (item.chain, 0, decode(repeat('00', 32), 'hex'), now());
      end if;
    end if;
    head.number := head.number + 1;
    head.hash := sha256(head.hash || convert_to(public.audit_canonical(entry, head.chain, head.number), 'UTF8'));
    chains := chains || head.chain;
    numbers := numbers || head.number;
    seqs := seqs || entry.seq;
    times := times || entry.at::timestamptz;
    hashes := hashes || head.hash;
  end loop;
  insert into public.audit_links (chain, number, entry_seq, entry_at, hash)
    select * from unnest(chains, numbers, seqs, times, hashes);
  insert into public.audit_heads as h (chain, number, hash)
    select distinct on (l.chain) l.chain, l.number, l.hash from unnest(chains, numbers, hashes) as l (chain, number, hash)
    order by l.chain, l.number desc
    on conflict (chain) do update set number = excluded.number, hash = excluded.hash, updated_at = clock_timestamp();
  delete from public.audit_pending where entry_seq = any (seqs);
  return cardinality(seqs);
end $$;

-- A plan that keeps the log for a shorter time counts after 30 days only: a change by mistake, or a late payment, must not cost the log.
alter table organizations add column plan_before text, add column plan_changed_at timestamptz;
alter table users add column plan_before text, add column plan_changed_at timestamptz;

-- What had no end until now gets its 30 days as well.
update organizations set plan_before = 'enterprise', plan_changed_at = now() where plan <> 'enterprise';
update users set plan_before = 'enterprise', plan_changed_at = now() where plan <> 'enterprise';

-- Days; 0: without end.
create function audit_days_of_plan(plan text) returns integer language sql immutable as $$
  select case plan when 'free' then 30 when 'pro' then 180 when 'organization' then 365 else 0 end
$$;

-- The longer one of two.
create function audit_longer_plan(one text, other text) returns text language sql immutable as $$
  select case when public.audit_days_of_plan(one) = 0 then one when public.audit_days_of_plan(other) = 0 then other
    when public.audit_days_of_plan(one) >= public.audit_days_of_plan(other) then one else other end
$$;

create function note_plan_change() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  new.plan_before := case when old.plan_changed_at > now() - interval '30 days'
    then public.audit_longer_plan(old.plan, old.plan_before) else old.plan end;
  new.plan_changed_at := now();
  return new;
end $$;
create trigger organizations_plan_change before update of plan on organizations
  for each row when (old.plan is distinct from new.plan) execute function note_plan_change();
create trigger users_plan_change before update of plan on users
  for each row when (old.plan is distinct from new.plan) execute function note_plan_change();

-- Organizations that were deleted, each with the plan that counted for its log.
create table audit_former_owners (
  owner text primary key,
  plan text not null,
  deleted_at timestamptz not null default now()
);

create function note_former_owner() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.audit_former_owners (owner, plan) values (old.id,
    case when old.plan_changed_at > now() - interval '30 days' then public.audit_longer_plan(old.plan, old.plan_before) else old.plan end)
    on conflict (owner) do update set plan = excluded.plan, deleted_at = now();
  return null;
end $$;
revoke all on function note_former_owner from public;
create trigger organizations_former_owner after delete on organizations for each row execute function note_former_owner();

-- Days for which entries of this owner are kept; 0: without end. What was deleted more than a year ago, and what nobody knows: a year at most.
create function audit_days(owner text) returns integer language sql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
  select case when $1 is null then 0 else coalesce((
    select audit_days_of_plan(case when p.plan_changed_at > now() - interval '30 days'
      then audit_longer_plan(p.plan, p.plan_before) else p.plan end)
    from (select plan, plan_before, plan_changed_at from organizations where id = $1
      union all select plan, plan_before, plan_changed_at from users where id = $1) p), (
    select case when f.deleted_at > now() - interval '1 year' or audit_days_of_plan(f.plan) > 0
      then audit_days_of_plan(f.plan) else 365 end
    from audit_former_owners f where f.owner = $1), 365) end
$$;
revoke all on function audit_days from public;
grant execute on function audit_days to forgeline_app;

-- What was removed of a chain because its time was over: `first` to `last`, with the hash before them, and that of the last one, with which
-- the chain goes on. The server signs it with a key that the database does not have.
create table audit_anchors (
  chain text not null,
  first bigint not null,
  last bigint not null,
  before bytea not null,
  hash bytea not null,
  signature bytea not null,
  made_at timestamptz(3) not null default clock_timestamp(),
  primary key (chain, first),
  unique (chain, last),
  check (first >= 1 and last >= first)
);
grant select, insert, update, delete on audit_anchors to forgeline_app;

-- The transaction that removes what is due; no other one may.
create table audit_permits (
  transaction xid8 primary key
);

create or replace function refuse_audit_change() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' and exists (select 1 from public.audit_permits where transaction = pg_current_xact_id()) then
    return null;
  end if;
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end $$;
revoke all on function refuse_audit_change from public;

-- How many rows were removed of each partition since it was last written anew.
create table audit_removed (
  partition_name text primary key,
  entries bigint not null
);

-- Removes links and entries of a chain, from each of `firsts` to the one of `lasts` at the same place; returns how many. Whoever calls it
-- puts anchors in their place, in the same transaction. Refuses what is not due, whoever asks.
create function remove_audit_entries(chain_name text, firsts bigint[], lasts bigint[]) returns integer language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  seqs bigint[];
  dropped bigint;
  earliest timestamptz;
  latest timestamptz;
  removed integer;
begin
  perform pg_advisory_xact_lock(7310446);
  select coalesce(array_agg(l.entry_seq), '{}'), min(l.entry_at), max(l.entry_at) into seqs, earliest, latest
    from unnest(firsts, lasts) as s (first, last) cross join lateral (
      select k.entry_seq, k.entry_at from public.audit_links k
      where k.chain = chain_name and k.number between s.first and s.last offset 0) l;
  if exists (
    select 1 from (
      select audit_owner(e.organization_id, e.action, e.target_type, e.target_id, e.actor_id) as owner, max(e.at) as at
      from public.audit_log e where e.seq = any (seqs) and e.at between earliest and latest group by 1) o
    cross join lateral (select audit_days(o.owner) as days offset 0) d
    where d.days = 0 or o.at >= now() - make_interval(days => d.days))
  then
    raise exception 'the time of these entries is not over' using errcode = 'insufficient_privilege';
  end if;
  insert into public.audit_permits (transaction) values (pg_current_xact_id()) on conflict do nothing;
  with gone as (
    delete from public.audit_log e where e.seq = any (seqs) and e.at between earliest and latest returning e.tableoid),
  counted as (
    insert into public.audit_removed as r (partition_name, entries)
    select tableoid::regclass::text, count(*) from gone group by 1
    on conflict (partition_name) do update set entries = r.entries + excluded.entries)
  select count(*) into dropped from gone;
  delete from public.audit_links where entry_seq = any (seqs);
  get diagnostics removed = row_count;
  if removed <> dropped then
    raise exception 'links without entries are not removed' using errcode = 'insufficient_privilege';
  end if;
  delete from public.audit_permits where transaction = pg_current_xact_id();
  return removed;
end $$;

-- Of one month that is over: drops its partition if nothing is left in it, and writes it anew if more is gone than left, so that the room is
-- the system's again. Returns the name of the partition, or null where there is nothing to do. The log is locked only for the moment in
-- which one partition takes the place of another; after two seconds of waiting for that it gives up.
create function shrink_audit_partition() returns text language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set lock_timeout = '2s' as $$
declare
  old_name text;
  new_name text;
  first_day timestamptz;
  next_day timestamptz;
  is_used boolean;
begin
  perform pg_advisory_xact_lock(7310446);
  select r.partition_name into old_name from public.audit_removed r
    join pg_class c on c.oid = to_regclass('public.' || r.partition_name)
    where r.partition_name ~ '^audit_log_\d{4}_\d{2}$' and c.reltuples >= 0 and r.entries > c.reltuples
      and r.partition_name < 'audit_log_' || to_char(now() at time zone 'UTC' - interval '2 days', 'YYYY_MM')
    order by 1 limit 1;
  if old_name is null then
    return null;
  end if;
  delete from public.audit_removed where partition_name = old_name;
  execute format('lock table public.%I in share mode', old_name);
  execute format('select exists (select 1 from public.%I)', old_name) into is_used;
  if not is_used then
    execute format('alter table public.audit_log detach partition public.%I', old_name);
    execute format('drop table public.%I', old_name);
    return old_name;
  end if;
  first_day := to_date(right(old_name, 7), 'YYYY_MM')::timestamp at time zone 'UTC';
  next_day := (to_date(right(old_name, 7), 'YYYY_MM') + interval '1 month') at time zone 'UTC';
  new_name := old_name || '_new';
  execute format('create table public.%I (like public.audit_log including defaults including constraints including indexes,
    check (at >= %L and at < %L))', new_name, first_day, next_day);
  execute format('insert into public.%I select * from public.%I', new_name, old_name);
  execute format('create trigger audit_log_append_only before update or delete or truncate on public.%I
    for each statement execute function public.refuse_audit_change()', new_name);
  execute format('alter table public.%I enable always trigger audit_log_append_only', new_name);
  execute format('analyze public.%I', new_name);
  -- Only now: whoever makes partitions ahead waits for this one.
  perform pg_advisory_xact_lock(7310444);
  execute format('alter table public.audit_log detach partition public.%I', old_name);
  execute format('drop table public.%I', old_name);
  execute format('alter table public.%I rename to %I', new_name, old_name);
  execute format('alter table public.audit_log attach partition public.%I for values from (%L) to (%L)',
    old_name, first_day, next_day);
  return old_name;
end $$;

revoke all on function remove_audit_entries, shrink_audit_partition from public;
grant execute on function remove_audit_entries, shrink_audit_partition to forgeline_app;
