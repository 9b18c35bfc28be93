/** What is known of the columns that a statement returns. */
import type {
  DeleteStmt,
  InsertStmt,
  Node,
  RangeVar,
  ReturningClause,
  SelectStmt,
  UpdateStmt,
  WithClause,
} from "libpg-query";
import type { Catalogue } from "./catalogue.ts";
import { columnName } from "./column-name.ts";
import { notNullBy } from "./conditions.ts";
import { infer } from "./expression.ts";
import { eitherColumns, type Column } from "./fact.ts";
import { namesOf, starColumns, type Scope } from "./scope.ts";
import { readFrom, readTable } from "./sources.ts";

/** By position; none for a statement that returns nothing. */
export function columnsOf(statement: Node, catalogue: Catalogue): Column[] {
  return query(statement, {
    catalogue,
    sources: [],
    named: new Map(),
    notNull: new Set(),
    grouped: false,
    outer: undefined,
    query,
  });
}

function query(node: Node, outer: Scope): Column[] {
  if ("SelectStmt" in node) return ofSelect(node.SelectStmt, outer);
  if ("InsertStmt" in node) return ofInsert(node.InsertStmt, outer);
  if ("UpdateStmt" in node) return ofChange(node.UpdateStmt, node.UpdateStmt.fromClause, outer);
  if ("DeleteStmt" in node) return ofChange(node.DeleteStmt, node.DeleteStmt.usingClause, outer);
  return [];
}

function ofSelect(select: SelectStmt, outer: Scope): Column[] {
  const scope = withNamed(inner(outer), select.withClause);
  if (select.larg && select.rarg) {
    return eitherColumns(ofSelect(select.larg, scope), ofSelect(select.rarg, scope));
  }
  if (select.valuesLists) return ofValues(select.valuesLists, scope);
  const from = readFrom(select.fromClause ?? [], scope);
  const conditions = [...from.conditions, ...(select.whereClause ? [select.whereClause] : [])];
  const inside = { ...scope, sources: from.sources, grouped: (select.groupClause ?? []).length > 0 };
  return targets(select.targetList ?? [], { ...inside, notNull: notNullBy(conditions, inside) });
}

function ofValues(lists: readonly Node[], scope: Scope): Column[] {
  const rows = lists.map((list) =>
    ("List" in list ? (list.List.items ?? []) : []).map((value, at) => ({
      name: `column${at + 1}`,
      ...infer(value, scope),
    })),
  );
  return rows.reduce(eitherColumns);
}

function ofInsert(insert: InsertStmt, outer: Scope): Column[] {
  const scope = withNamed(inner(outer), insert.withClause);
  return returned(insert.returningClause, { ...scope, sources: intoSources(insert.relation, scope) });
}

/** Of an update or a deletion. What the condition says of a row's columns held before the change. */
function ofChange(
  change: UpdateStmt | DeleteStmt,
  fromItems: readonly Node[] | undefined,
  outer: Scope,
): Column[] {
  const scope = withNamed(inner(outer), change.withClause);
  const changed = intoSources(change.relation, scope);
  const from = readFrom(fromItems ?? [], { ...scope, sources: changed });
  const inside = { ...scope, sources: [...changed, ...from.sources] };
  const conditions = [...from.conditions, ...(change.whereClause ? [change.whereClause] : [])];
  const notNull = [...notNullBy(conditions, inside)].filter(
    (key) => !changed.some(({ alias }) => key.startsWith(`${alias}.`)),
  );
  return returned(change.returningClause, { ...inside, notNull: new Set(notNull) });
}

function intoSources(table: RangeVar | undefined, scope: Scope) {
  return table ? [readTable({ ...table, schemaname: "public" }, scope)] : [];
}

function returned(clause: ReturningClause | undefined, scope: Scope): Column[] {
  return targets(clause?.exprs ?? [], scope);
}

function targets(list: readonly Node[], scope: Scope): Column[] {
  return list.flatMap((target) => {
    if (!("ResTarget" in target)) return [];
    const { name, val } = target.ResTarget;
    if (val && "ColumnRef" in val && val.ColumnRef.fields?.some((field) => "A_Star" in field)) {
      return starColumns(scope, namesOf(val.ColumnRef.fields).at(-1));
    }
    return [{ name: name ?? columnName(val), ...infer(val, scope) }];
  });
}

function inner(outer: Scope): Scope {
  return { ...outer, sources: [], named: new Map(), notNull: new Set(), grouped: false, outer };
}

/** The scope with the subqueries of WITH. A recursive one is first what its first part gives, then what follows from that. */
function withNamed(scope: Scope, clause: WithClause | undefined): Scope {
  const named = new Map(scope.named);
  const inside = { ...scope, named };
  for (const node of clause?.ctes ?? []) {
    if (!("CommonTableExpr" in node)) continue;
    const { ctename = "", ctequery, aliascolnames } = node.CommonTableExpr;
    if (!ctequery) continue;
    const rename = (columns: readonly Column[]) =>
      columns.map((column, at) => ({ ...column, name: namesOf(aliascolnames)[at] ?? column.name }));
    if (clause?.recursive && "SelectStmt" in ctequery && ctequery.SelectStmt.larg) {
      named.set(ctename, rename(ofSelect(ctequery.SelectStmt.larg, inside)));
      named.set(ctename, rename(query(ctequery, inside)));
    }
    named.set(ctename, rename(query(ctequery, inside)));
  }
  return inside;
}
