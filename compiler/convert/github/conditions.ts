/** `if` of jobs and steps as `when`: the functions that ask how things went become `status`, the rest an expression. */
import type { Expression } from "../../expression/parse.ts";
import { conditionSource } from "../../template.ts";
import { CannotConvert } from "../cannot.ts";
import { present, type Plain } from "../plain.ts";
import { and, or, type Typed } from "../typed.ts";
import { parseTheirs, translateCondition } from "./expression.ts";
import type { Known } from "./known.ts";

/** What `when` is to be; null: it always holds. Throws `CannotConvert`. */
export function whenOf(text: string, known: Known): Plain {
  const { source } = conditionSource(text);
  const branches = split(parseTheirs(source), "||").map((each) => clauseOf(each, known));
  if (branches.every(({ statuses }) => statuses.join() === "success")) {
    const whole = or(branches.map(({ rest }) => rest));
    return whole.literal === true ? null : whole.text;
  }
  const clauses = branches.flatMap(({ statuses, rest }) =>
    statuses.map((status) => present({ status, if: rest.literal === true ? null : rest.text })),
  );
  return clauses.length === 1 ? (clauses[0] as Plain) : clauses;
}

function split(expression: Expression, operator: "&&" | "||"): Expression[] {
  if (expression.kind !== "binary" || expression.operator !== operator) return [expression];
  return [...split(expression.left, operator), ...split(expression.right, operator)];
}

function clauseOf(expression: Expression, known: Known): { statuses: string[]; rest: Typed } {
  const parts = split(expression, "&&");
  const statuses = parts.map(statusOf).filter((each) => each !== null);
  if (statuses.length > 1) throw new CannotConvert("it asks in several ways how earlier steps went");
  const rest = parts.filter((part) => statusOf(part) === null).map((part) => translateCondition(part, known));
  return { statuses: statuses[0] ?? ["success"], rest: and(rest) };
}

function statusOf(expression: Expression): string[] | null {
  const negated = expression.kind === "not";
  const call = negated ? expression.operand : expression;
  if (call.kind !== "call" || call.args.length > 0) return null;
  const name = `${negated ? "!" : ""}${call.name.toLowerCase()}`;
  if (name === "success" || name === "!failure") return ["success"];
  if (name === "failure" || name === "!success") return ["failure"];
  if (name === "!cancelled") return ["success", "failure"];
  if (name === "always") return ["always"];
  if (name === "cancelled")
    throw new CannotConvert(
      "nothing runs only after a cancel",
      "use status: always, which also runs after one",
    );
  return null;
}
