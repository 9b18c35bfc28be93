/** The names that an expression can use, and what is known of what they stand for. */
import type { Node } from "libpg-query";
import type { Catalogue } from "./catalogue.ts";
import { anything, type Column, type Fact } from "./fact.ts";
import { jsonType, objectType } from "./json.ts";

/** A table, a subquery or a function in FROM. */
export interface Source {
  alias: string;
  /** Undefined: they are not known. */
  columns: readonly Column[] | undefined;
  /** It stands on the side of an outer join whose row may be missing. */
  optional: boolean;
}

export interface Scope {
  catalogue: Catalogue;
  sources: readonly Source[];
  /** Subqueries of WITH. */
  named: ReadonlyMap<string, readonly Column[]>;
  /** `alias.column` of those that conditions rule out to be null. */
  notNull: ReadonlySet<string>;
  /** Whether there is a GROUP BY, so that no aggregate is over no rows. */
  grouped: boolean;
  outer: Scope | undefined;
  /** Columns of a query inside of `outer`. */
  query(node: Node, outer: Scope): Column[];
}

interface Found {
  source: Source;
  column: Column | undefined;
  scope: Scope;
}

/** Text of the parts of a name; `*` is none. */
export function namesOf(nodes: readonly Node[] | undefined): string[] {
  return (nodes ?? []).flatMap((node) => ("String" in node ? [node.String.sval ?? ""] : []));
}

export function keyOf(alias: string, column: string): string {
  return `${alias}.${column}`;
}

/** What a reference such as `u.id` or `id` stands for; undefined where it is none of a column that is known. */
export function find(scope: Scope | undefined, parts: readonly string[]): Found | undefined {
  const column = parts.at(-1) ?? "";
  const alias = parts.at(-2);
  for (let at = scope; at; at = at.outer) {
    for (const source of at.sources) {
      if (alias !== undefined && source.alias !== alias) continue;
      const found = source.columns?.find(({ name }) => name === column);
      if (found || alias !== undefined) return { source, column: found, scope: at };
    }
    const row = alias === undefined && at.sources.find((source) => source.alias === column);
    if (row) return { source: row, column: undefined, scope: at };
  }
  return undefined;
}

export function factOf(scope: Scope, parts: readonly string[]): Fact {
  const found = find(scope, parts);
  if (!found) return anything;
  const { source, column, scope: to } = found;
  const isMissing = mayBeMissing(source, scope, to);
  if (!column)
    return source.alias === parts.at(-1) ? { ...ofRow(found, scope), nullable: isMissing } : anything;
  const { types, sqlType } = column;
  const isNullable = isMissing || column.nullable;
  return { types, sqlType, nullable: isNullable && !isRuledOut(keyOf(source.alias, column.name), scope, to) };
}

/** A row as one value. */
function ofRow({ source, scope: to }: Found, from: Scope): Fact {
  const fields = source.columns?.map((column) => {
    const isNullable = column.nullable && !isRuledOut(keyOf(source.alias, column.name), from, to);
    return { name: column.name, type: jsonType({ ...column, nullable: isNullable }, from.catalogue) };
  });
  return { nullable: false, types: fields && new Set([objectType(fields)]), sqlType: fields && "record" };
}

/** The columns of `*`, or of `alias.*`. */
export function starColumns(scope: Scope, alias: string | undefined): Column[] {
  return scope.sources
    .filter((source) => alias === undefined || source.alias === alias)
    .flatMap((source) => {
      if (!source.columns) throw new Error(`the columns of ${source.alias} are not known: name them`);
      return source.columns.map(({ name }) => ({ name, ...factOf(scope, [source.alias, name]) }));
    });
}

function mayBeMissing(source: Source, from: Scope, to: Scope): boolean {
  if (!source.optional) return false;
  const columns = source.columns ?? [];
  return !columns.some(({ name }) => isRuledOut(keyOf(source.alias, name), from, to));
}

/** By a condition of this scope, or of one between it and that of the source. */
function isRuledOut(key: string, from: Scope, to: Scope): boolean {
  for (let at: Scope | undefined = from; at; at = at.outer) {
    if (at.notNull.has(key)) return true;
    if (at === to) return false;
  }
  return false;
}
