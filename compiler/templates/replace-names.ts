/**
 * Puts other expressions in the place of names, such as `inputs.node`. It is the syntax tree that says where a name stands, so
 * no value can ever become a part of the expression around it.
 */
import { parseExpression, type Expression } from "../expression/parse.ts";
import { conditionSource, splitTemplate } from "../template.ts";

/**
 * Of `inputs.node`: ["inputs", "node"]. Gives the expression in its place, or null to leave it. Called for the longest chain
 * first, then for its beginnings.
 */
export type Replace = (chain: readonly string[], at: Expression) => string | null;

/** In a text with `${{ }}`. Throws `ExpressionProblem`. */
export function replaceInText(text: string, replace: Replace): string {
  const parts = splitTemplate(text);
  return parts
    .map((part) => (part.kind === "text" ? part.text : `\${{${replaceInExpression(part.source, replace)}}}`))
    .join("");
}

/** In a condition, which may stand bare. Throws `ExpressionProblem`. */
export function replaceInCondition(text: string, replace: Replace): string {
  const { source } = conditionSource(text);
  const replaced = replaceInExpression(source, replace);
  return replaced === source ? text : replaced;
}

function replaceInExpression(source: string, replace: Replace): string {
  const found: { start: number; end: number; text: string }[] = [];
  visit(parseExpression(source), (node) => {
    const chain = chainOf(node);
    const text = chain && replace(chain, node);
    if (text !== null) found.push({ start: node.start, end: node.end, text });
    return text !== null;
  });
  let result = source;
  for (const { start, end, text } of found.toSorted((a, b) => b.start - a.start))
    result = `${result.slice(0, start)}${text}${result.slice(end)}`;
  return result;
}

/** Outermost first; what is `done` is not gone into. */
function visit(node: Expression, done: (node: Expression) => boolean): void {
  if (done(node)) return;
  for (const inner of partsOf(node)) visit(inner, done);
}

function partsOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case "member":
      return node.key.kind === "literal" ? [node.object] : [node.object, node.key];
    case "call":
      return node.args;
    case "not":
      return [node.operand];
    case "binary":
      return [node.left, node.right];
    default:
      return [];
  }
}

/** null for what is no chain of plain names. */
function chainOf(node: Expression): string[] | null {
  if (node.kind === "name") return [node.name];
  if (node.kind !== "member" || node.name === null) return null;
  const before = chainOf(node.object);
  return before && [...before, node.name];
}

/** A value as an expression. */
export function literalOf(value: string | number | boolean | null): string {
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  // Expressions know no exponents.
  if (typeof value === "number" && String(value).includes("e")) return value.toFixed(20);
  return String(value);
}

/** A text with `${{ }}` as one expression. Throws `ExpressionProblem`. */
export function asExpression(text: string): string {
  const parts = splitTemplate(text);
  const [first] = parts;
  if (first === undefined) return "''";
  if (parts.length === 1) return first.kind === "text" ? literalOf(first.text) : `(${first.source.trim()})`;
  let pattern = "";
  const values: string[] = [];
  for (const part of parts) {
    if (part.kind === "text") pattern += part.text.replaceAll("{", "{{").replaceAll("}", "}}");
    else pattern += `{${values.push(`(${part.source.trim()})`) - 1}}`;
  }
  return `format(${[literalOf(pattern), ...values].join(", ")})`;
}
