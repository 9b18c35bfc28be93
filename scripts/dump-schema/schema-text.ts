/**
 * The database's schema as SQL-like text, read from the catalogue, in an order that depends on nothing but names: what
 * the migrations add up to, in one place to read and to compare. Not meant to be run.
 */
import type pg from "pg";

interface Table {
  oid: number;
  name: string;
  /** Of a view; null for a table. */
  query: string | null;
  columns: string[];
  constraints: string[];
  indexes: string[];
  triggers: string[];
  grants: string[];
}

/** Text of everything in the schema `public`; names of migrations and rows are no part of it. */
export async function schemaText(client: pg.Client): Promise<string> {
  const functions = await texts(client, functionsSql, []);
  const parts = functions.map((text) => `${text.trim()};`);
  for (const table of await readTables(client)) parts.push(tableText(table));
  return `${parts.join("\n\n")}\n`;
}

function tableText(table: Table): string {
  const inside = [...table.columns, ...table.constraints].map((line) => `  ${line}`).join(",\n");
  const after = [...table.indexes, ...table.triggers, ...table.grants].map((line) => `${line};`);
  const made =
    table.query === null
      ? `create table ${table.name} (\n${inside}\n);`
      : `create view ${table.name} as\n${table.query}`;
  return [made, ...after].join("\n");
}

async function readTables(client: pg.Client): Promise<Table[]> {
  const found = await client.query<Pick<Table, "oid" | "name" | "query">>(tablesSql);
  const tables: Table[] = [];
  for (const { oid, name, query } of found.rows) {
    const read = (sql: string) => texts(client, sql, [oid]);
    tables.push({
      oid,
      name,
      query,
      columns: await read(columnsSql),
      constraints: await read(constraintsSql),
      indexes: await read(indexesSql),
      triggers: await read(triggersSql),
      grants: await read(grantsSql),
    });
  }
  return tables;
}

async function texts(client: pg.Client, sql: string, params: unknown[]): Promise<string[]> {
  return (await client.query<{ text: string }>(sql, params)).rows.map((row) => row.text);
}

// Partitions of months are made as time goes; what they are like stands with their table.
const tablesSql = `
  select c.oid, quote_ident(c.relname) as name,
    case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid, true) end as query
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
    and not (c.relispartition and c.relname ~ '_[0-9]{4}_[0-9]{2}$')
  order by c.relname collate "C"`;

const columnsSql = `
  select concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
    case when a.attstorage <> t.typstorage then 'storage ' || case a.attstorage
      when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end end,
    case when a.attnotnull then 'not null' end,
    case when a.attidentity <> '' then 'generated ' || case a.attidentity when 'a' then 'always' else 'by default' end
      || ' as identity' || (select case when s.seqmax < 9223372036854775807
           then format(' (maxvalue %s%s)', s.seqmax, case when s.seqcycle then ' cycle' else '' end) else '' end
         from pg_sequence s where s.seqrelid = pg_get_serial_sequence(a.attrelid::regclass::text, a.attname)::regclass)
    end,
    'default ' || pg_get_expr(d.adbin, d.adrelid)) as text
  from pg_attribute a join pg_type t on t.oid = a.atttypid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped
  order by a.attnum`;

// PostgreSQL 18 lists "not null" among constraints; it stands with the column already.
const constraintsSql = `
  select format('constraint %I %s', conname, pg_get_constraintdef(oid)) as text from pg_constraint
  where conrelid = $1 and contype <> 'n'
  order by array_position(array['p', 'u', 'f', 'c', 'x'], contype::text), conname collate "C"`;

const indexesSql = `
  select pg_get_indexdef(i.indexrelid) as text from pg_index i join pg_class c on c.oid = i.indexrelid
  where i.indrelid = $1 and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
  order by c.relname collate "C"`;

const triggersSql = `
  select pg_get_triggerdef(oid) || case tgenabled when 'O' then '' else ' -- enabled: ' || tgenabled::text end as text
  from pg_trigger where tgrelid = $1 and not tgisinternal order by tgname collate "C"`;

const grantsSql = `
  select format('grant %s on %s to %s', string_agg(lower(g.privilege_type), ', ' order by g.privilege_type),
    (case when c.relkind = 'S' then 'sequence ' else '' end) || c.oid::regclass,
    coalesce(g.grantee::regrole::text, 'public')) as text
  from pg_class c, aclexplode(c.relacl) g
  where g.grantee <> c.relowner and (c.oid = $1 or c.oid in (
    select objid from pg_depend where refobjid = $1 and deptype = 'i' and classid = 'pg_class'::regclass))
  group by c.oid, c.relkind, c.relname, g.grantee order by c.relkind, c.relname collate "C", 1`;

const functionsSql = `
  select pg_get_functiondef(oid) as text from pg_proc
  where pronamespace = 'public'::regnamespace and prokind in ('f', 'p')
  order by proname collate "C", pg_get_function_identity_arguments(oid)`;
