-- Bounds of the audit log's two functions, which the application's role may call with any argument.

-- Links up to `most` waiting entries (never more than 10,000 at once) to their chains and returns how many. One at a
-- time; the others wait. Entries that somebody took away before they were linked go on waiting, for whoever verifies to
-- be told, and hold up nobody.
create or replace function link_audit_entries(most integer default 1000) returns integer language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  waiting public.audit_pending;
  entry public.audit_log;
  head public.audit_heads;
  linked integer := 0;
begin
  perform pg_advisory_xact_lock(7310445);
  for waiting in
    select p.* from public.audit_pending p
    where exists (select 1 from public.audit_log e where e.seq = p.entry_seq and e.at = p.entry_at)
    order by p.entry_seq limit least(greatest(coalesce(most, 1000), 0), 10000)
  loop
    select * into entry from public.audit_log where seq = waiting.entry_seq and at = waiting.entry_at;
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

-- Makes the partitions of `months_ahead` months after that of `since`, where they are missing; returns how many it made.
-- What the default partition holds of such a month moves along: the same rows, so chains stay as they are. Waits at most
-- two seconds for a lock.
create or replace function make_audit_partitions(since timestamptz default now(), months_ahead integer default 3)
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
    -- Attached rather than created in place: that would lock the whole log, and this only the default partition.
    execute format('create table public.%I (like public.audit_log including defaults including constraints)',
      partition_name);
    if exists (select 1 from public.audit_log_default where at >= first_day and at < next_day) then
      -- Until the end of the transaction nobody else writes to the default partition, so its wall is never seen open.
      lock table public.audit_log_default in access exclusive mode;
      execute format('insert into public.%I select * from public.audit_log_default where at >= $1 and at < $2',
        partition_name) using first_day, next_day;
      alter table public.audit_log_default disable trigger audit_log_append_only;
      delete from public.audit_log_default where at >= first_day and at < next_day;
      alter table public.audit_log_default enable always trigger audit_log_append_only;
    end if;
    execute format('create trigger audit_log_append_only before update or delete or truncate on public.%I
      for each statement execute function public.refuse_audit_change()', partition_name);
    execute format('alter table public.%I enable always trigger audit_log_append_only', partition_name);
    execute format('alter table public.audit_log attach partition public.%I for values from (%L) to (%L)',
      partition_name, first_day, next_day);
    made := made + 1;
  end loop;
  return made;
end $$;
