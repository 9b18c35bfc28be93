-- The audit log by months, and the chains that prove it. An entry belongs to one chain: that of an organization, or of
-- the instance. Entries are written without waiting for each other; what is committed is then linked by one function,
-- which alone writes links (docs/architecture/audit.md).
alter table audit_log rename to audit_log_before;
alter table audit_log_before rename constraint audit_log_pkey to audit_log_before_pkey;
alter index audit_log_target rename to audit_log_before_target;
alter sequence audit_log_seq_seq rename to audit_log_before_seq_seq;

create table audit_log (
  -- In the order of recording; entries of transactions that overlap may become visible in another one.
  seq bigint generated always as identity,
  id text not null,
  at timestamptz(3) not null default clock_timestamp(),
  -- Null: the instance's. Not a reference: entries outlive what they are about.
  organization_id text,
  actor_id text,
  actor_username text not null,
  ip_address text,
  action text not null,
  target_type text not null,
  target_id text not null,
  target_name text not null,
  details jsonb not null default '{}',
  user_agent text,
  geo jsonb,
  request_id text,
  primary key (seq, at)
) partition by range (at);
create index audit_log_target on audit_log (target_id, seq desc);
create index audit_log_organization on audit_log (organization_id, seq desc);

-- What the names of a month's partition and its bounds are, is said here only. What finds no partition goes into the
-- one for everything else, so that a missing month never fails an action.
create table audit_log_default partition of audit_log default;

create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end $$;
-- Always: also where a session has turned ordinary triggers off.
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change();
alter table audit_log enable always trigger audit_log_append_only;
create trigger audit_log_append_only before update or delete or truncate on audit_log_default
  for each statement execute function refuse_audit_change();
alter table audit_log_default enable always trigger audit_log_append_only;

-- Makes the partitions of `months_ahead` months after that of `since`, where they are missing; returns how many it made.
-- A month of which the default partition has entries already stays there. Waits at most two seconds for a lock.
create function make_audit_partitions(since timestamptz default now(), months_ahead integer default 3)
returns integer language plpgsql security definer set search_path = pg_catalog, public, pg_temp
set lock_timeout = '2s' as $$
declare
  first_day timestamptz;
  next_day timestamptz;
  partition_name text;
  made integer := 0;
begin
  perform pg_advisory_xact_lock(7310444);
  for step in 0 .. least(months_ahead, 24) loop
    first_day := (date_trunc('month', since at time zone 'UTC') + make_interval(months => step)) at time zone 'UTC';
    next_day := (date_trunc('month', since at time zone 'UTC') + make_interval(months => step + 1)) at time zone 'UTC';
    partition_name := 'audit_log_' || to_char(first_day at time zone 'UTC', 'YYYY_MM');
    continue when to_regclass('public.' || partition_name) is not null;
    continue when exists (select 1 from public.audit_log_default where at >= first_day and at < next_day);
    -- Attached rather than created in place: that would lock the whole log, and this only the default partition.
    execute format('create table public.%I (like public.audit_log including defaults including constraints)',
      partition_name);
    execute format('create trigger audit_log_append_only before update or delete or truncate on public.%I
      for each statement execute function public.refuse_audit_change()', partition_name);
    execute format('alter table public.%I enable always trigger audit_log_append_only', partition_name);
    execute format('alter table public.audit_log attach partition public.%I for values from (%L) to (%L)',
      partition_name, first_day, next_day);
    made := made + 1;
  end loop;
  return made;
end $$;

-- Entries that no chain holds yet, and of which one.
create table audit_pending (
  entry_seq bigint primary key,
  entry_at timestamptz(3) not null,
  chain text not null
);

-- `chain` is the identifier of an organization, or `instance`. `hash` is SHA-256 over the hash before (32 zero bytes at
-- first) and the entry's canonical text.
create table audit_links (
  chain text not null,
  number bigint not null,
  entry_seq bigint not null unique,
  entry_at timestamptz(3) not null,
  hash bytea not null,
  primary key (chain, number)
);
create trigger audit_links_append_only before update or delete or truncate on audit_links
  for each statement execute function refuse_audit_change();
alter table audit_links enable always trigger audit_links_append_only;

create table audit_heads (
  chain text primary key,
  number bigint not null,
  hash bytea not null,
  updated_at timestamptz(3) not null default clock_timestamp()
);

create function await_audit_link() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.audit_pending (entry_seq, entry_at, chain)
    values (new.seq, new.at, coalesce(new.organization_id, 'instance'));
  return null;
end $$;
create trigger audit_log_link after insert on audit_log for each row execute function await_audit_link();
alter table audit_log enable always trigger audit_log_link;

-- What an entry's hash is made of: PostgreSQL's text of a JSON array, in this order.
create function audit_canonical(entry audit_log, chain text, number bigint) returns text
language sql stable as $$
  select jsonb_build_array(chain, number, entry.id,
    to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    entry.actor_id, entry.actor_username, entry.ip_address, entry.action, entry.target_type, entry.target_id,
    entry.target_name, entry.details, entry.user_agent, entry.geo, entry.request_id)::text
$$;

-- Links up to `most` waiting entries to their chains and returns how many. One at a time; the others wait.
create function link_audit_entries(most integer default 1000) returns integer language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  waiting public.audit_pending;
  entry public.audit_log;
  head public.audit_heads;
  linked integer := 0;
begin
  perform pg_advisory_xact_lock(7310445);
  for waiting in select * from public.audit_pending order by entry_seq limit most loop
    select * into entry from public.audit_log where seq = waiting.entry_seq and at = waiting.entry_at;
    -- Somebody took the entry away before it was linked: it goes on waiting, and whoever verifies is told.
    continue when not found;
    select * into head from public.audit_heads where chain = waiting.chain;
    if not found then
      head := (waiting.chain, 0, decode(repeat('00', 32), 'hex'), now());
    end if;
    head.number := head.number + 1;
    head.hash := sha256(head.hash || convert_to(public.audit_canonical(entry, head.chain, head.number), 'UTF8'));
    insert into public.audit_links (chain, number, entry_seq, entry_at, hash)
      values (head.chain, head.number, entry.seq, entry.at, head.hash);
    insert into public.audit_heads (chain, number, hash) values (head.chain, head.number, head.hash)
      on conflict (chain) do update set number = excluded.number, hash = excluded.hash, updated_at = clock_timestamp();
    delete from public.audit_pending where entry_seq = waiting.entry_seq;
    linked := linked + 1;
  end loop;
  return linked;
end $$;

-- What was recorded before there were chains is linked like what is recorded now.
select make_audit_partitions(min(at), (12 * (date_part('year', now()) - date_part('year', min(at)))
  + date_part('month', now()) - date_part('month', min(at)))::integer) from audit_log_before having count(*) > 0;
select make_audit_partitions();
insert into audit_log (seq, id, at, actor_id, actor_username, ip_address, action, target_type, target_id, target_name,
    details, user_agent, request_id) overriding system value
  select seq, id, at, actor_id, actor_username, ip_address, action, target_type, target_id, target_name, details,
    user_agent, request_id from audit_log_before order by seq;
select setval(pg_get_serial_sequence('audit_log', 'seq'), greatest((select max(seq) from audit_log), 1),
  exists (select 1 from audit_log));
drop table audit_log_before;

revoke all on function make_audit_partitions, link_audit_entries, await_audit_link, refuse_audit_change from public;
grant execute on function make_audit_partitions, link_audit_entries to forgeline_app;
-- Neither the place nor the time of an entry is the application's to choose.
grant select on audit_log, audit_links, audit_heads, audit_pending to forgeline_app;
grant insert (id, organization_id, actor_id, actor_username, ip_address, action, target_type, target_id, target_name,
  details, user_agent, geo, request_id) on audit_log to forgeline_app;
