/** The name that PostgreSQL gives to a column without one. */
import type { Node } from "libpg-query";
import { namesOf } from "./scope.ts";

export function columnName(value: Node | undefined): string {
  return nameOf(value) ?? "?column?";
}

function nameOf(value: Node | undefined): string | undefined {
  if (!value) return undefined;
  if ("ColumnRef" in value) return namesOf(value.ColumnRef.fields).at(-1);
  if ("FuncCall" in value) return namesOf(value.FuncCall.funcname).at(-1);
  if ("TypeCast" in value) {
    return nameOf(value.TypeCast.arg) ?? namesOf(value.TypeCast.typeName?.names).at(-1);
  }
  if ("A_Indirection" in value)
    return namesOf(value.A_Indirection.indirection).at(-1) ?? nameOf(value.A_Indirection.arg);
  if ("CaseExpr" in value) return nameOf(value.CaseExpr.defresult) ?? "case";
  if ("SubLink" in value) return ofSubquery(value.SubLink.subLinkType, value.SubLink.subselect);
  return ofSyntax(value);
}

function ofSubquery(kind: string | undefined, subselect: Node | undefined): string | undefined {
  if (kind === "EXISTS_SUBLINK") return "exists";
  if (kind === "ARRAY_SUBLINK") return "array";
  if (kind !== "EXPR_SUBLINK" || !subselect || !("SelectStmt" in subselect)) return undefined;
  const [target] = subselect.SelectStmt.targetList ?? [];
  return target && "ResTarget" in target
    ? (target.ResTarget.name ?? nameOf(target.ResTarget.val))
    : undefined;
}

function ofSyntax(value: Node): string | undefined {
  if ("CoalesceExpr" in value) return "coalesce";
  if ("MinMaxExpr" in value) return value.MinMaxExpr.op === "IS_LEAST" ? "least" : "greatest";
  if ("A_ArrayExpr" in value) return "array";
  if ("RowExpr" in value) return "row";
  if ("CollateClause" in value) return nameOf(value.CollateClause.arg);
  return undefined;
}
