/**
 * Evaluates a parsed expression. No side effects; the work is counted and capped. Throws `ExpressionProblem` with the
 * place in the expression. Missing outputs of `needs` and `steps` (a skipped job has none) are null, as are names that one
 * combination of a matrix lacks; any other missing member is a problem, except inside `coalesce`, where it is null.
 */
import { limits } from "../limits.ts";
import { quote } from "../suggest.ts";
import { spend, type Evaluation } from "./budget.ts";
import { callFunction } from "./call-function.ts";
import type { Expression } from "./parse.ts";
import { ExpressionProblem } from "./problem.ts";
import { kindOf, textOf, type Contexts, type Value } from "./values.ts";

export function evaluate(expression: Expression, contexts: Contexts): Value {
  return evaluateNode(expression, { contexts, steps: limits.expressionSteps, inCoalesce: false });
}

function evaluateNode(node: Expression, evaluation: Evaluation): Value {
  spend(evaluation, node, 1);
  switch (node.kind) {
    case "literal":
      return node.value;
    case "name": {
      const { names } = evaluation.contexts;
      if (Object.hasOwn(names, node.name)) return names[node.name] as Value;
      throw new ExpressionProblem("P207", node, { message: `${quote(node.name)} is not known here` });
    }
    case "member":
      return evaluateMember(node, evaluation);
    case "call":
      return evaluateCall(node, evaluation);
    case "not":
      return !condition(node.operand, evaluation);
    case "binary":
      return evaluateBinary(node, evaluation);
  }
}

function condition(node: Expression, evaluation: Evaluation): boolean {
  const value = evaluateNode(node, evaluation);
  if (typeof value === "boolean") return value;
  throw new ExpressionProblem("P204", node, { message: `must be true or false, but is ${kindOf(value)}` });
}

function evaluateMember(node: Expression & { kind: "member" }, evaluation: Evaluation): Value {
  const object = evaluateNode(node.object, evaluation);
  const key = evaluateNode(node.key, evaluation);
  if (Array.isArray(object) && typeof key === "number") {
    const item = (object as readonly Value[])[key];
    if (item !== undefined) return item;
  } else if (kindOf(object) === "map" && typeof key === "string" && Object.hasOwn(object as object, key)) {
    return (object as Readonly<Record<string, Value>>)[key] as Value;
  }
  if (evaluation.inCoalesce || isResultOfOthers(node)) return null;
  throw new ExpressionProblem("P202", node.key, { message: `there is no ${quote(textOf(key) ?? "")} here` });
}

function isResultOfOthers(node: Expression): boolean {
  let root = node;
  while (root.kind === "member") root = root.object;
  return root.kind === "name" && ["needs", "steps", "matrix"].includes(root.name);
}

function evaluateCall(node: Expression & { kind: "call" }, evaluation: Evaluation): Value {
  if (node.name === "coalesce") return coalesce(node, evaluation);
  const args = node.args.map((arg) => evaluateNode(arg, evaluation));
  const result = callFunction(node, args, evaluation);
  checkLength(result, node);
  return result;
}

/** The first argument that is neither missing, null nor empty text; else the last. */
function coalesce(node: Expression & { kind: "call" }, evaluation: Evaluation): Value {
  const outer = evaluation.inCoalesce;
  evaluation.inCoalesce = true;
  let value: Value = null;
  for (const arg of node.args) {
    value = evaluateNode(arg, evaluation);
    if (value !== null && value !== "") break;
  }
  evaluation.inCoalesce = outer;
  return value;
}

function evaluateBinary(node: Expression & { kind: "binary" }, evaluation: Evaluation): Value {
  const { operator } = node;
  if (operator === "&&") return condition(node.left, evaluation) && evaluateNode(node.right, evaluation);
  if (operator === "||") return evaluateEither(node, evaluation);
  const left = evaluateNode(node.left, evaluation);
  const right = evaluateNode(node.right, evaluation);
  if (operator === "==" || operator === "!=") {
    const equal = isPlain(left) && isPlain(right) ? left === right : sameText(left, right);
    return equal === (operator === "==");
  }
  if (typeof left === "number" && typeof right === "number") {
    return operator === "+" ? left + right : compare(operator, left - right);
  }
  if (typeof left === "string" && typeof right === "string") {
    if (operator !== "+") return compare(operator, left < right ? -1 : left > right ? 1 : 0);
    const sum = left + right;
    checkLength(sum, node);
    return sum;
  }
  const kinds = `${kindOf(left)} and ${kindOf(right)}`;
  throw new ExpressionProblem("P204", node, {
    message: `${operator} needs two numbers or two texts, not ${kinds}`,
  });
}

/** Two conditions, or a choice: `condition && value || other value`. A value that counts for nothing elsewhere, such as 0, is chosen too. */
function evaluateEither({ left, right }: Expression & { kind: "binary" }, evaluation: Evaluation): Value {
  if (!isLogic(left)) return condition(left, evaluation) || condition(right, evaluation);
  const chosen = evaluateNode(left, evaluation);
  return chosen === false ? evaluateNode(right, evaluation) : chosen;
}

function isLogic(node: Expression): boolean {
  return node.kind === "binary" && (node.operator === "&&" || node.operator === "||");
}

function isPlain(value: Value): boolean {
  return kindOf(value) !== "list" && kindOf(value) !== "map";
}

function sameText(left: Value, right: Value): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function compare(operator: string, difference: number): boolean {
  if (operator === "<") return difference < 0;
  if (operator === "<=") return difference <= 0;
  return operator === ">" ? difference > 0 : difference >= 0;
}

function checkLength(value: Value, at: Expression): void {
  if (typeof value !== "string" || value.length <= limits.expressionResultChars) return;
  throw new ExpressionProblem("P204", at, {
    message: `the text is longer than ${limits.expressionResultChars} characters`,
  });
}
