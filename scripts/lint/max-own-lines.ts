/**
 * A function does one thing when what it says itself fits on a screen. So its own lines are counted: neither those of
 * functions with a name inside it, of which a factory `createX(deps)` has many, nor blank lines and comments. A function
 * without a name, such as a callback, belongs to the one around it.
 */
import type { RuleTester } from "oxlint/plugins-dev";

type Rule = Parameters<RuleTester["run"]>[1];
type Context = Parameters<NonNullable<Rule["create"]>>[0];
type Visitor = ReturnType<NonNullable<Rule["create"]>>;
type FunctionNode = Parameters<
  | NonNullable<Visitor["FunctionDeclaration"]>
  | NonNullable<Visitor["FunctionExpression"]>
  | NonNullable<Visitor["ArrowFunctionExpression"]>
>[0];

interface Found {
  node: FunctionNode;
  /** Empty for a function without one. */
  name: string;
  /** What of the file belongs to the function, its name too. */
  start: number;
  end: number;
}

export const maxOwnLines: Rule = {
  meta: {
    schema: [{ type: "object", properties: { max: { type: "integer" } }, additionalProperties: false }],
    defaultOptions: [{ max: 40 }],
  },
  create(context) {
    const { max } = context.options[0] as { max: number };
    const found: Found[] = [];
    const note = (node: FunctionNode) => void found.push({ node, ...nameOf(node, context) });
    return {
      FunctionDeclaration: note,
      FunctionExpression: note,
      ArrowFunctionExpression: note,
      "Program:exit"() {
        for (const each of found) {
          if (each.name === "" && found.some((other) => isInside(each, other))) continue;
          const lines = ownLines(each, found, context);
          if (lines > max) context.report({ node: each.node, message: tooLong(each.name, lines, max) });
        }
      },
    };
  },
};

function tooLong(name: string, lines: number, max: number): string {
  return `${name || "This function"} has ${lines} lines of its own, and ${max} are the most: split it by what its parts do.`;
}

function isInside(one: Found, other: Found): boolean {
  return one !== other && other.start <= one.start && one.end <= other.end;
}

function nameOf(node: FunctionNode, context: Context): Omit<Found, "node"> {
  const { parent } = node;
  const text = (named: { range: [number, number] }) => context.sourceCode.text.slice(...named.range);
  const of = (whole: { range: [number, number] }, name: string) => {
    const [start, end] = whole.range;
    return { name, start, end };
  };
  if (node.id) return of(node, node.id.name);
  if (parent.type === "VariableDeclarator") return of(parent.parent, text(parent.id));
  if (
    parent.type === "Property" ||
    parent.type === "MethodDefinition" ||
    parent.type === "PropertyDefinition"
  )
    return of(parent, text(parent.key));
  if (parent.type === "AssignmentExpression") return of(parent, text(parent.left));
  return of(node, "");
}

function ownLines(own: Found, found: readonly Found[], { sourceCode }: Context): number {
  const { body } = own.node;
  if (!body || body.loc.end.line - body.loc.start.line < 2) return 0;
  const inner = found.filter((other) => other.name !== "" && isInside(other, own));
  const lines = new Set<number>();
  const tokens = sourceCode.getTokens(body);
  for (const token of body.type === "BlockStatement" ? tokens.slice(1, -1) : tokens) {
    if (inner.some(({ start, end }) => start <= token.range[0] && token.range[1] <= end)) continue;
    for (let line = token.loc.start.line; line <= token.loc.end.line; line += 1) lines.add(line);
  }
  return lines.size;
}
