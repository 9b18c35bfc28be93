/** What the database knows of its tables, views and types. */
import { parse, type Node } from "libpg-query";
import type pg from "pg";
import { columnTypes } from "./column-types.ts";
import type { Column } from "./fact.ts";
import { readSignatures, type Signatures } from "./signatures.ts";

export interface Catalogue {
  tables: ReadonlyMap<string, readonly Column[]>;
  /** The query of each. */
  views: ReadonlyMap<string, Node>;
  types: ReadonlyMap<number, DatabaseType>;
  typesByName: ReadonlyMap<string, DatabaseType>;
  signatures: Signatures;
}

export interface DatabaseType {
  name: string;
  /** Of an array. */
  element: string | undefined;
  /** Of an enum. */
  labels: readonly string[] | undefined;
}

export async function readCatalogue(client: pg.Client): Promise<Catalogue> {
  const tables = await readTables(client);
  const gone = Object.keys(columnTypes).filter((path) => {
    const [table = "", column] = path.split(".");
    return !tables.get(table)?.some(({ name }) => name === column);
  });
  if (gone.length > 0)
    throw new Error(`column-types.ts names columns that are not there: ${gone.join(", ")}`);
  const types = await readTypes(client);
  return {
    tables,
    views: await readViews(client),
    types,
    typesByName: new Map([...types.values()].map((type) => [type.name, type])),
    signatures: await readSignatures(client),
  };
}

async function readTables(client: pg.Client): Promise<Map<string, Column[]>> {
  const words = await readWords(client);
  const { rows } = await client.query<{ table: string; name: string; nullable: boolean; type: string }>(`
    select c.relname as table, a.attname as name, not a.attnotnull as nullable, t.typname as type
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
    where c.relnamespace in ('public'::regnamespace, 'pg_catalog'::regnamespace) and c.relkind in ('r', 'p')
      and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`);
  const tables = new Map<string, Column[]>();
  for (const { table, name, nullable, type } of rows) {
    const path = `${table}.${name}`;
    const known = columnTypes[path];
    const columns = tables.get(table) ?? [];
    const types = known ? new Set([known.type]) : words.get(path);
    columns.push({ name, nullable, types, sqlType: type });
    tables.set(table, columns);
  }
  return tables;
}

/** Columns of text of which a CHECK lists the words. */
async function readWords(client: pg.Client): Promise<Map<string, ReadonlySet<string>>> {
  const { rows } = await client.query<{ path: string; check: string }>(`
    select c.relname || '.' || a.attname as path, pg_get_constraintdef(k.oid) as check
    from pg_constraint k join pg_class c on c.oid = k.conrelid
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
    where k.contype = 'c' and cardinality(k.conkey) = 1 and c.relnamespace = 'public'::regnamespace`);
  const words = new Map<string, ReadonlySet<string>>();
  for (const { path, check } of rows) {
    const list = /^CHECK \(\("?\w+"? = ANY \(ARRAY\[([^\]]+)\]\)\)\)$/.exec(check)?.[1];
    const found = [...(list ?? "").matchAll(/'([^']*)'::text/g)].map(([, word]) => JSON.stringify(word));
    if (found.length > 0) words.set(path, new Set(found));
  }
  return words;
}

async function readViews(client: pg.Client): Promise<Map<string, Node>> {
  const { rows } = await client.query<{ name: string; text: string }>(`
    select relname as name, pg_get_viewdef(oid) as text from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')`);
  const views = new Map<string, Node>();
  for (const { name, text } of rows) views.set(name, await parseStatement(text));
  return views;
}

export async function parseStatement(text: string): Promise<Node> {
  const [statement, ...further] = (await parse(text)).stmts ?? [];
  if (!statement?.stmt || further.length > 0) throw new Error("not one statement");
  return statement.stmt;
}

async function readTypes(client: pg.Client): Promise<Map<number, DatabaseType>> {
  const { rows } = await client.query<{
    oid: number;
    name: string;
    element: string | null;
    labels: string[] | null;
  }>(`
    select t.oid, t.typname as name, e.typname as element,
      (select array_agg(l.enumlabel::text order by l.enumsortorder) from pg_enum l where l.enumtypid = t.oid) as labels
    from pg_type t left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'`);
  return new Map(
    rows.map(({ oid, name, element, labels }) => [
      oid,
      { name, element: element ?? undefined, labels: labels ?? undefined },
    ]),
  );
}
