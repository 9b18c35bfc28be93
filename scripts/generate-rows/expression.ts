/** What is known of the value of an expression: a short list of rules; where none fits, it may be null. */
import type {
  A_Const,
  A_Expr,
  A_Indirection,
  BoolExpr,
  CaseExpr,
  FuncCall,
  Node,
  SubLink,
  TypeCast,
} from "libpg-query";
import { notNullBy, notNullUnless } from "./conditions.ts";
import { anything, either, inType, nothing, present, type Fact } from "./fact.ts";
import { aggregates, neverNull, nullAsArguments, ofNulls, picking } from "./functions.ts";
import { functionName, madeJson } from "./json.ts";
import { isJson } from "./literals.ts";
import { factOf, namesOf, type Scope } from "./scope.ts";
import { resultType } from "./signatures.ts";

const textTypes = new Set(["text", "varchar"]);
const truth: Fact = { ...present, sqlType: "bool" };
/** Operators that look for something which may not be there. */
const searching = new Set(["->", "->>", "#>", "#>>"]);

export function infer(node: Node | undefined, scope: Scope): Fact {
  if (!node) return anything;
  if ("ColumnRef" in node) return factOf(scope, namesOf(node.ColumnRef.fields));
  if ("A_Const" in node) return ofConstant(node.A_Const);
  if ("TypeCast" in node) return ofCast(node.TypeCast, scope);
  if ("FuncCall" in node) return ofCall(node.FuncCall, scope);
  if ("A_Expr" in node) return ofOperator(node.A_Expr, scope);
  if ("BoolExpr" in node) return ofBoolean(node.BoolExpr, scope);
  if ("CaseExpr" in node) return ofCase(node.CaseExpr, scope);
  if ("SubLink" in node) return ofSubquery(node.SubLink, scope);
  if ("CoalesceExpr" in node) return firstOf(node.CoalesceExpr.args ?? [], scope);
  if ("MinMaxExpr" in node) return anyOf(node.MinMaxExpr.args ?? [], scope);
  if ("NamedArgExpr" in node) return infer(node.NamedArgExpr.arg, scope);
  if ("CollateClause" in node) return infer(node.CollateClause.arg, scope);
  if ("A_Indirection" in node) return ofIndirection(node.A_Indirection, scope);
  if ("NullTest" in node || "BooleanTest" in node) return truth;
  return "A_ArrayExpr" in node || "RowExpr" in node || "SQLValueFunction" in node ? present : anything;
}

function ofConstant(constant: A_Const): Fact {
  if (constant.isnull) return nothing;
  if (constant.sval) {
    return {
      nullable: false,
      types: new Set([JSON.stringify(constant.sval.sval ?? "")]),
      sqlType: "unknown",
    };
  }
  return { ...present, sqlType: constant.boolval ? "bool" : constant.ival ? "int4" : undefined };
}

function ofCast(cast: TypeCast, scope: Scope): Fact {
  const fact = infer(cast.arg, scope);
  const name = namesOf(cast.typeName?.names).at(-1) ?? "";
  const sqlType = cast.typeName?.arrayBounds ? `_${name}` : name;
  if (fact.sqlType === "unknown") return { ...inType(fact, sqlType), sqlType };
  const isStillTrue = textTypes.has(sqlType) && !isJson(fact.sqlType);
  return { nullable: fact.nullable, types: isStillTrue ? fact.types : undefined, sqlType };
}

/** A slice of an array is as the array. */
function ofIndirection({ arg, indirection = [] }: A_Indirection, scope: Scope): Fact {
  const [index, ...further] = indirection;
  if (!index || further.length > 0 || !("A_Indices" in index) || !index.A_Indices.is_slice) return anything;
  const { lidx, uidx } = index.A_Indices;
  const isNullable = [lidx, uidx].some((bound) => bound !== undefined && infer(bound, scope).nullable);
  const array = infer(arg, scope);
  return { ...array, nullable: array.nullable || isNullable };
}

function ofCall(call: FuncCall, scope: Scope): Fact {
  const args = (call.args ?? []).map((arg) => infer(arg, scope));
  const name = functionName(call);
  const nullable = isCallNullable(call, args, scope);
  const [first] = args;
  if (first && picking.has(name)) return { ...first, nullable };
  return {
    nullable,
    types: madeJson(call, args, scope.catalogue),
    sqlType: resultType(scope.catalogue.signatures, name, args),
  };
}

function isCallNullable(call: FuncCall, args: readonly Fact[], scope: Scope): boolean {
  const name = functionName(call);
  if (neverNull.has(name)) return false;
  const isArgument = !ofNulls.has(name) && args.some((arg) => arg.nullable);
  if (nullAsArguments.has(name)) return isArgument;
  // Without a frame of its own a window holds the row itself.
  const hasRows = call.over ? !call.over.startOffset && !call.over.endOffset : scope.grouped;
  return aggregates.has(name) && hasRows && !call.agg_filter ? isArgument : true;
}

function ofOperator(expression: A_Expr, scope: Scope): Fact {
  const kind = expression.kind ?? "AEXPR_OP";
  if (kind === "AEXPR_DISTINCT" || kind === "AEXPR_NOT_DISTINCT") return truth;
  const left = infer(expression.lexpr, scope);
  if (kind === "AEXPR_NULLIF") return { ...left, nullable: true };
  const name = namesOf(expression.name).at(-1) ?? "";
  const right = operands(expression.rexpr).map((operand) => infer(operand, scope));
  const values = expression.lexpr ? [left, ...right] : right;
  const isNullable = searching.has(name) || values.some((fact) => fact.nullable);
  return {
    nullable: isNullable,
    types: undefined,
    sqlType: resultType(scope.catalogue.signatures, name, values),
  };
}

function operands(right: Node | undefined): readonly Node[] {
  if (!right) return [];
  return "List" in right ? (right.List.items ?? []) : [right];
}

/** What stands beside `x is not null and` counts only where x is not null; likewise beside `x is null or`. */
function ofBoolean(expression: BoolExpr, scope: Scope): Fact {
  const args = expression.args ?? [];
  const ruledOut =
    expression.boolop === "AND_EXPR"
      ? notNullBy(
          args.filter((arg) => "NullTest" in arg),
          scope,
        )
      : expression.boolop === "OR_EXPR"
        ? notNullUnless(args, scope)
        : [];
  const inside = { ...scope, notNull: new Set([...scope.notNull, ...ruledOut]) };
  return { ...truth, nullable: args.some((arg) => infer(arg, inside).nullable) };
}

function ofCase(expression: CaseExpr, scope: Scope): Fact {
  const results = (expression.args ?? []).map((arg) => {
    if (!("CaseWhen" in arg)) return anything;
    const when = expression.arg ? [] : [arg.CaseWhen.expr].filter((condition) => condition !== undefined);
    const inside = { ...scope, notNull: new Set([...scope.notNull, ...notNullBy(when, scope)]) };
    return infer(arg.CaseWhen.result, inside);
  });
  const otherwise = expression.defresult ? infer(expression.defresult, scope) : nothing;
  return either([...results, otherwise]);
}

function ofSubquery(link: SubLink, scope: Scope): Fact {
  if (link.subLinkType === "EXISTS_SUBLINK") return truth;
  if (!link.subselect) return anything;
  const [{ nullable, types, sqlType } = anything] = scope.query(link.subselect, scope);
  if (link.subLinkType === "ARRAY_SUBLINK") return { ...present, sqlType: sqlType && `_${sqlType}` };
  if (link.subLinkType === "EXPR_SUBLINK") {
    return { types, sqlType, nullable: nullable || !hasOneRow(link.subselect) };
  }
  return { ...truth, nullable: nullable || infer(link.testexpr, scope).nullable };
}

/** An aggregate over everything, which has a row whatever there is. */
function hasOneRow(subselect: Node): boolean {
  if (!("SelectStmt" in subselect)) return false;
  const { targetList, groupClause, havingClause, limitCount, limitOffset, op } = subselect.SelectStmt;
  const [target] = targetList ?? [];
  const value = target && "ResTarget" in target ? target.ResTarget.val : undefined;
  const isAggregate = value !== undefined && containsAggregate(value);
  return isAggregate && !groupClause && !havingClause && !limitCount && !limitOffset && op === "SETOP_NONE";
}

function containsAggregate(node: Node): boolean {
  if ("FuncCall" in node) {
    const name = namesOf(node.FuncCall.funcname).at(-1) ?? "";
    return !node.FuncCall.over && (name === "count" || aggregates.has(name));
  }
  if ("TypeCast" in node) return node.TypeCast.arg !== undefined && containsAggregate(node.TypeCast.arg);
  if ("CoalesceExpr" in node) return (node.CoalesceExpr.args ?? []).some(containsAggregate);
  if ("A_Expr" in node) {
    return [node.A_Expr.lexpr, node.A_Expr.rexpr].some(
      (side) => side !== undefined && containsAggregate(side),
    );
  }
  return false;
}

function firstOf(args: readonly Node[], scope: Scope): Fact {
  const facts = args.map((arg) => infer(arg, scope));
  const last = facts.findIndex((fact) => !fact.nullable);
  const counting = last < 0 ? facts : facts.slice(0, last + 1);
  return { ...either(counting), nullable: last < 0 };
}

/** `greatest` and `least` leave nulls out. */
function anyOf(args: readonly Node[], scope: Scope): Fact {
  const facts = args.map((arg) => infer(arg, scope));
  return { ...either(facts), nullable: facts.every((fact) => fact.nullable) };
}
