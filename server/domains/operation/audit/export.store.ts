/** Reads an audit log part by part as lines of a file, in the order of its chain. Lines are made by the database, which is faster. */
import type { AuditFilters, ExportFormat } from "@forgeline/schemas/audit-exports/resource.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, variantOf } from "../../../platform/db/statement.ts";
import { addFilters, type Owner } from "./audit.store.ts";
import type { ExportRows } from "./export.rows.ts";

const timestamp = `to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const hash = "encode(l.hash, 'hex')";

/** Of text that may hold anything, and of what the server has made itself. */
const escaped = (sql: string) => `coalesce(to_json(${sql})::text, 'null')`;
const plain = (sql: string) => `coalesce('"' || ${sql} || '"', 'null')`;

/**
 * As `presentEntry` shows it; `test/integration/api/audit-exports/` compares them. Put together as text: `json_build_object` takes half
 * as long again.
 */
const json = `concat('{"id":"', e.id, '","seq":', l.number, ',"hash":"', ${hash}, '","timestamp":"', ${timestamp},
  '","actor":{"id":', ${plain("e.actor_id")}, ',"username":', to_json(e.actor_username), ',"ip_address":', ${escaped("e.ip_address")},
  '},"action":"', e.action, '","target":{"type":"', e.target_type, '","id":', to_json(e.target_id), ',"name":', to_json(e.target_name),
  '},"details":', e.details, ',"user_agent":', ${escaped("e.user_agent")}, ',"geo":', coalesce(e.geo::text, 'null'),
  ',"request_id":', ${escaped("e.request_id")}, '}')`;

/** Columns of a file in CSV, each with the SQL of its text. */
const columns = {
  id: "e.id",
  seq: "l.number::text",
  hash,
  timestamp,
  actor_id: "e.actor_id",
  actor_username: "e.actor_username",
  ip_address: "e.ip_address",
  action: "e.action",
  target_type: "e.target_type",
  target_id: "e.target_id",
  target_name: "e.target_name",
  details: "e.details::text",
  user_agent: "e.user_agent",
  geo: "e.geo::text",
  request_id: "e.request_id",
} as const;

export const csvTitles = `${Object.keys(columns).join(",")}\r\n`;

/** What a spreadsheet would take for a formula begins with a quote, which makes it text. */
const cell = (sql: string) =>
  `coalesce('"' || replace(regexp_replace(${sql}, '^([-=+@\\t\\r])', '''\\1'), '"', '""') || '"', '')`;

const lines: Record<ExportFormat, string> = {
  json: `E',\\n' || ${json}`,
  jsonl: `${json} || E'\\n'`,
  csv: `${Object.values(columns).map(cell).join(" || ',' || ")} || E'\\r\\n'`,
};

const linksSql = `
  with part as materialized (
    select number, hash, entry_seq, entry_at from audit_links where chain = $1 and number > $2 and number <= $3
    order by number limit $4),
  bounds as materialized (
    select min(entry_seq) as first_seq, max(entry_seq) as last_seq, min(entry_at) as first_at, max(entry_at) as last_at from part)`;

/**
 * The entries of `part`. Those of an organization are one range of its index, which is a third faster than a lookup of each; for the
 * instance it is none, since its entries may be few among many.
 */
const entriesSql = {
  organization: `part l join audit_log e on e.seq = l.entry_seq
    and e.organization_id = $1
    and e.seq between (select first_seq from bounds) and (select last_seq from bounds)
    and e.at between (select first_at from bounds) and (select last_at from bounds)`,
  instance: `part l
    cross join lateral (select x.* from audit_log x where x.seq = l.entry_seq and x.at = l.entry_at offset 0) e`,
};

const partSql = (owner: Owner, line: string, where: string) => `${linksSql}
  select coalesce((select max(number) from part), $3::bigint) as last, count(t.line)::int as rows,
    coalesce(string_agg(t.line, '' order by t.number), '') as text
  from (
    select l.number, ${line} as line from ${owner === null ? entriesSql.instance : entriesSql.organization}
    where ${where}) t`;

export const statements = defineStatements<ExportRows>({
  readPart: partSql(null, lines.jsonl, "true"),
});

export interface PartOfLog {
  owner: Owner;
  filters: AuditFilters;
  format: ExportFormat;
  /** Numbers of links: behind the first, up to the second. */
  after: number;
  until: number;
  /** At most so many links are looked at. */
  limit: number;
}

/** `last`: the link up to which the part goes; `text`: its lines, those of `json` each behind a comma. */
export async function readPart(
  db: Queryable,
  part: PartOfLog,
): Promise<{ last: number; rows: number; text: string }> {
  const params: unknown[] = [part.owner ?? "instance", part.after, part.until, part.limit];
  const where = addFilters(part.filters, params).join(" and ") || "true";
  const row = await db.one(
    variantOf(statements.readPart, partSql(part.owner, lines[part.format], where)),
    params,
  );
  if (!row) throw new Error("the part gave no row");
  return { ...row, last: row.last ?? part.until };
}
