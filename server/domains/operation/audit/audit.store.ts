/** Writes and reads rows of `audit_log`. The database sets an entry's position and time. */
import type { AuditQuery } from "@forgeline/schemas/audit/routes.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Database, Queryable } from "../../../platform/db/database.ts";
import { defineStatements, variantOf } from "../../../platform/db/statement.ts";
import type { AuditRows } from "./audit.rows.ts";

export interface NewEntry {
  id: string;
  actorId: string | null;
  actorUsername: string;
  ipAddress: string | null;
  action: string;
  target: { type: string; id: string; name: string };
  details: string;
  userAgent: string | null;
  geo: string | null;
  requestId: string | null;
  organizationId: string | null;
  /** The user whose organizations get a copy of an entry that belongs to none; null: no copies. */
  personOf: string | null;
}

/** The organization of the target; if it has none or is gone, the one in its name; for a bot, its own. */
const organizationSql = `coalesce($12::text,
  (select g.id from organizations g where $6 in ('org', 'organization') and g.id = $7),
  (select t.organization_id from teams t where $6 = 'team' and t.id = $7),
  (select g.id from organizations g join repositories r on r.owner_id = g.id where r.id = case $6
     when 'repository' then $7
     when 'pipeline' then (select p.repository_id from pipelines p where p.id = $7)
     when 'runner' then (select u.repository_id from runners u where u.id = $7)
     else $9::jsonb->>'repository_id' end),
  (select g.id from organizations g join owners o on o.id = g.id
     where $6 in ('repository', 'team') and lower(o.name) = lower(split_part($8, '/', 1))),
  (select b.organization_id from users b where b.id = case when $6 = 'user' then $7 else $2 end),
  (select b.organization_id from users b where b.id = $2))`;

/** `next` is the number of the next parameter. */
const listSql = (from: string, next: number) => `
    select x.id, x.at, x.actor_id, x.actor_username, x.ip_address, x.action, x.target_type, x.target_id, x.target_name,
      x.details, x.user_agent, x.geo, x.request_id, l.number, encode(l.hash, 'hex') as hash
    from (select e.* ${from} order by e.seq desc limit $${next} offset $${next + 1}) x
    left join audit_links l on l.entry_seq = x.seq order by x.seq desc`;

export const statements = defineStatements<AuditRows>({
  insertEntry: `
    with added as (
      insert into audit_log (id, actor_id, actor_username, ip_address, action, target_type, target_id, target_name,
        details, user_agent, request_id, organization_id, geo)
      values ($1, $2::text, $3, $4, $5, $6::text, $7::text, $8::text, $9::jsonb, $10, $11, ${organizationSql}, $13::jsonb)
      returning organization_id)
    insert into audit_log (id, actor_id, actor_username, action, target_type, target_id, target_name, organization_id)
    select left($1, 14) || left(md5($1 || m.organization_id), 16), $2, $3, $5, 'user', u.id, u.username,
      m.organization_id
    from added, organization_members m join users u on u.id = m.user_id
    where added.organization_id is null and m.user_id = $14 and m.agreed
    order by m.organization_id`,
  listEntries: listSql("from audit_log e", 1),
});

/** Copies for organizations have their own identifiers, made of the original's time and a hash. */
export async function insertEntry(db: Queryable, entry: NewEntry): Promise<void> {
  await db.query(statements.insertEntry, [
    entry.id,
    entry.actorId,
    entry.actorUsername,
    entry.ipAddress,
    entry.action,
    entry.target.type,
    entry.target.id,
    entry.target.name,
    entry.details,
    entry.userAgent,
    entry.requestId,
    entry.organizationId,
    entry.geo,
    entry.personOf,
  ]);
}

export type EntryRow = AuditRows["listEntries"];

/** null: the instance's. */
export type Owner = string | null;

const conditions = {
  actor: (p: string) => `lower(e.actor_username) = lower(${p})`,
  action: (p: string) => `e.action = ${p}`,
  category: (p: string) => `starts_with(e.action, ${p})`,
  repository: (
    p: string,
  ) => `e.target_type = 'repository' and (lower(e.target_name) = lower(${p}) or e.target_id =
    any (array(select n.repository_id from repository_names n where lower(n.full_name) = lower(${p}))))`,
  team: (p: string) => `e.target_type = 'team' and (lower(e.target_name) = lower(${p}) or e.target_id =
    (select n.team_id from team_names n where lower(n.full_name) = lower(${p})))`,
  since: (p: string) => `e.at >= ${p}`,
  until: (p: string) => `e.at <= ${p}`,
  before: (p: string) => `e.at < ${p}::date + 1`,
  q: (p: string) =>
    `concat_ws(E'\\n', e.actor_username, e.action, e.target_name, e.ip_address, e.details::text) ilike ${p}`,
};

export interface EntryFilter extends Omit<AuditQuery, "page" | "per_page"> {}

/** Conditions about the entry `e`, in SQL of constants only: requested values are added to the parameters. */
export function addFilters(filter: EntryFilter, params: unknown[]): string[] {
  const parts: string[] = [];
  const add = (name: keyof typeof conditions, value: string | undefined) => {
    if (value === undefined) return;
    params.push(value);
    parts.push(`(${conditions[name](`$${params.length}`)})`);
  };
  const [kind, name] = filter.target?.split(/:(.*)/s) ?? [];
  add("actor", filter.actor);
  if (filter.action?.endsWith(".*")) add("category", filter.action.slice(0, -1));
  else add("action", filter.action);
  add(kind === "team" ? "team" : "repository", name);
  add("since", filter.since);
  add(filter.until?.includes("T") ? "until" : "before", filter.until);
  add("q", filter.q && `%${filter.q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
  return parts;
}

function whereSql(owner: Owner, filter: EntryFilter): { from: string; params: unknown[] } {
  const params: unknown[] = owner === null ? [] : [owner];
  const ofOwner = owner === null ? "e.organization_id is null" : "e.organization_id = $1";
  const parts = [ofOwner, ...addFilters(filter, params)];
  return { from: `from audit_log e where ${parts.join(" and ")}`, params };
}

/** Newest first. */
export async function listEntries(
  db: Database,
  owner: Owner,
  query: AuditQuery,
): Promise<{ rows: EntryRow[]; total: number }> {
  const { page, per_page: perPage, ...filter } = query;
  const { from, params } = whereSql(owner, filter);
  const rows = await db.query(variantOf(statements.listEntries, listSql(from, params.length + 1)), [
    ...params,
    perPage,
    Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER),
  ]);
  return { rows, total: await countRows(db, from, params) };
}
