/** What stands in FROM: tables, views, subqueries, functions, and how they are joined. */
import type { Alias, JoinExpr, Node, RangeFunction, RangeVar } from "libpg-query";
import { anything, present, type Column, type Fact } from "./fact.ts";
import { infer } from "./expression.ts";
import { namesOf, type Scope, type Source } from "./scope.ts";

const ordinal: Fact = { ...present, sqlType: "int8" };

export interface From {
  sources: Source[];
  /** They hold for each row. */
  conditions: Node[];
}

/** All items of a FROM, each of which sees those before it. */
export function readFrom(items: readonly Node[], scope: Scope): From {
  const from: From = { sources: [], conditions: [] };
  for (const item of items) {
    const next = readItem(item, { ...scope, sources: [...scope.sources, ...from.sources] });
    from.sources.push(...next.sources);
    from.conditions.push(...next.conditions);
  }
  return from;
}

export function readTable(table: RangeVar, scope: Scope): Source {
  const name = table.relname ?? "";
  const columns = (table.schemaname ? undefined : namedColumns(scope, name)) ?? tableColumns(name, scope);
  return sourceOf(columns, table.alias, name);
}

function readItem(item: Node, scope: Scope): From {
  if ("JoinExpr" in item) return readJoin(item.JoinExpr, scope);
  if ("RangeVar" in item) return { sources: [readTable(item.RangeVar, scope)], conditions: [] };
  if ("RangeSubselect" in item) {
    const { subquery, alias } = item.RangeSubselect;
    const columns = subquery && scope.query(subquery, scope);
    return { sources: [sourceOf(columns, alias, "")], conditions: [] };
  }
  if ("RangeFunction" in item) return { sources: [readFunction(item.RangeFunction, scope)], conditions: [] };
  throw new Error(`no rule for ${Object.keys(item).join()} in FROM`);
}

function readJoin(join: JoinExpr, scope: Scope): From {
  if (join.alias) throw new Error("no rule for a join with an alias");
  const left = readFrom(join.larg ? [join.larg] : [], scope);
  const beside = { ...scope, sources: [...scope.sources, ...left.sources] };
  const right = readFrom(join.rarg ? [join.rarg] : [], beside);
  const isInner = join.jointype === "JOIN_INNER";
  const keepsLeft = isInner || join.jointype === "JOIN_LEFT";
  const keepsRight = isInner || join.jointype === "JOIN_RIGHT";
  return {
    sources: [
      ...(keepsLeft ? left : optional(left)).sources,
      ...(keepsRight ? right : optional(right)).sources,
    ],
    conditions: [
      ...(keepsLeft ? left.conditions : []),
      ...(keepsRight ? right.conditions : []),
      ...(isInner && join.quals ? [join.quals] : []),
    ],
  };
}

function optional(from: From): From {
  return { ...from, sources: from.sources.map((source) => ({ ...source, optional: true })) };
}

function readFunction(item: RangeFunction, scope: Scope): Source {
  const listed = namesOf(item.alias?.colnames);
  const alias = item.alias?.aliasname ?? "";
  const names = listed.length > 0 ? listed : item.coldeflist ? columnNames(item.coldeflist) : [];
  const given = item.ordinality ? names.slice(0, -1) : names;
  const facts =
    given.length === 1 && !item.coldeflist ? [infer(callOf(item), scope)] : given.map(() => anything);
  const columns = names.map((name, at) => ({ name, ...(facts[at] ?? ordinal) }));
  return { alias, columns: columns.length > 0 ? columns : undefined, optional: false };
}

/** Undefined where there are several. */
function callOf({ functions: [only, ...further] = [] }: RangeFunction): Node | undefined {
  return only && "List" in only && further.length === 0 ? only.List.items?.[0] : undefined;
}

function columnNames(definitions: readonly Node[]): string[] {
  return definitions.flatMap((node) => ("ColumnDef" in node ? [node.ColumnDef.colname ?? ""] : []));
}

function sourceOf(columns: readonly Column[] | undefined, alias: Alias | undefined, name: string): Source {
  const renamed = namesOf(alias?.colnames);
  return {
    alias: alias?.aliasname ?? name,
    columns: columns?.map((column, at) => ({ ...column, name: renamed[at] ?? column.name })),
    optional: false,
  };
}

/** Of a subquery of WITH. */
function namedColumns(scope: Scope, name: string): readonly Column[] | undefined {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    const columns = at.named.get(name);
    if (columns) return columns;
  }
  return undefined;
}

function tableColumns(name: string, scope: Scope): readonly Column[] {
  const { tables, views } = scope.catalogue;
  const view = views.get(name);
  const columns = view
    ? scope.query(view, { ...scope, sources: [], named: new Map(), outer: undefined })
    : tables.get(name);
  if (!columns) throw new Error(`there is no table ${name}`);
  return columns;
}
