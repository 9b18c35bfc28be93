-- Where a list goes on that the host does not count in pages: what its reader made of the last answer.
alter table imports add column cursor text;

-- Who was named after the import had begun, and agreed to it or was named by somebody who need not ask: as `users`.
alter table imports add column agreed jsonb not null default '{}';

-- Somebody is asked whether they are an account of the other host; for 7 days.
create table import_requests (
  id text primary key,
  import_id text not null references imports (id) on delete cascade,
  -- In lower case.
  login text not null,
  user_id text not null references users (id) on delete cascade,
  asked_by text not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (import_id, login)
);
create index import_requests_to on import_requests (user_id);
create index import_requests_by on import_requests (asked_by);
grant select, insert, delete on import_requests to forgeline_app;

-- Who was assigned to it at the other host (HOST/LOGIN), where nobody here is named for them.
create table imported_assignees (
  work_item_id text not null references work_items (id) on delete cascade,
  name text not null,
  primary key (work_item_id, name)
);
grant select, insert, delete on imported_assignees to forgeline_app;

-- Its refs come from an import and not from a mirror, while `mirror` is true: nobody pushes to either.
alter table repositories add column importing boolean not null default false;
update repositories r set importing = true
  where r.mirror and exists (select 1 from imports i where i.repository_id = r.id and i.status in ('queued', 'running', 'paused'));
