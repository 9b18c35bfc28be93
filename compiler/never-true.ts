/** Conditions that cannot hold, whatever the run: W901. */
import type { Expression } from "./expression/parse.ts";

/** `false` alone is not meant: it can only be on purpose. */
export function isNeverTrue(expression: Expression): boolean {
  return expression.kind !== "literal" && isFalse(expression);
}

function isFalse(expression: Expression): boolean {
  if (expression.kind === "literal") return expression.value === false;
  if (expression.kind !== "binary") return false;
  const { operator, left, right } = expression;
  if (operator === "&&") return isFalse(left) || isFalse(right) || contradicts(left, right);
  if (operator === "||") return isFalse(left) && isFalse(right);
  return false;
}

/** `branch == 'a' && branch == 'b'` */
function contradicts(left: Expression, right: Expression): boolean {
  const a = equalsText(left);
  const b = equalsText(right);
  return a !== null && b !== null && a.name === b.name && a.value !== b.value;
}

function equalsText(node: Expression): { name: string; value: unknown } | null {
  if (node.kind !== "binary" || node.operator !== "==") return null;
  const { left, right } = node;
  return left.kind === "name" && right.kind === "literal" ? { name: left.name, value: right.value } : null;
}
