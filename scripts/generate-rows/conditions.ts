/** Columns that cannot be null where a condition holds. */
import type { Node } from "libpg-query";
import { find, keyOf, namesOf, type Scope } from "./scope.ts";

/** With which null is never true. */
const strictOperators = new Set(["=", "<>", "<", ">", "<=", ">=", "~", "@>", "&&"]);

/** `alias.column` of each, where all of these conditions hold. */
export function notNullBy(conditions: readonly Node[], scope: Scope): Set<string> {
  return new Set(conditions.flatMap((condition) => fromCondition(condition, scope)));
}

/** Likewise, where none of them holds. */
export function notNullUnless(conditions: readonly Node[], scope: Scope): Set<string> {
  return new Set(
    conditions.flatMap((condition) =>
      "NullTest" in condition && condition.NullTest.nulltesttype === "IS_NULL"
        ? keysOf(condition.NullTest.arg, scope)
        : [],
    ),
  );
}

function fromCondition(condition: Node, scope: Scope): string[] {
  if ("BoolExpr" in condition && condition.BoolExpr.boolop === "AND_EXPR") {
    return (condition.BoolExpr.args ?? []).flatMap((part) => fromCondition(part, scope));
  }
  if ("NullTest" in condition && condition.NullTest.nulltesttype === "IS_NOT_NULL") {
    return keysOf(condition.NullTest.arg, scope);
  }
  if ("A_Expr" in condition && isStrict(condition.A_Expr.kind, namesOf(condition.A_Expr.name))) {
    return [...keysOf(condition.A_Expr.lexpr, scope), ...keysOf(condition.A_Expr.rexpr, scope)];
  }
  return [];
}

function isStrict(kind: string | undefined, operator: readonly string[]): boolean {
  return (kind === "AEXPR_OP" || kind === "AEXPR_OP_ANY") && strictOperators.has(operator.at(-1) ?? "");
}

function keysOf(operand: Node | undefined, scope: Scope): string[] {
  if (!operand) return [];
  if ("TypeCast" in operand) return keysOf(operand.TypeCast.arg, scope);
  if ("FuncCall" in operand && namesOf(operand.FuncCall.funcname).at(-1) === "lower") {
    return (operand.FuncCall.args ?? []).flatMap((arg) => keysOf(arg, scope));
  }
  if (!("ColumnRef" in operand)) return [];
  const found = find(scope, namesOf(operand.ColumnRef.fields));
  return found?.column ? [keyOf(found.source.alias, found.column.name)] : [];
}
