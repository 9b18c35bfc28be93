/** The functions of a file and how each is called, for the rules that bound their length. */
import type { RuleTester } from "oxlint/plugins-dev";

export type Rule = Parameters<RuleTester["run"]>[1];
export type Context = Parameters<NonNullable<Rule["create"]>>[0];
export type Visitor = ReturnType<NonNullable<Rule["create"]>>;
export type FunctionNode = Parameters<
  | NonNullable<Visitor["FunctionDeclaration"]>
  | NonNullable<Visitor["FunctionExpression"]>
  | NonNullable<Visitor["ArrowFunctionExpression"]>
>[0];

export type Token = ReturnType<Context["sourceCode"]["getTokens"]>[number];

export interface NamedFunction {
  node: FunctionNode;
  /** Empty for a function without one. */
  name: string;
  /** What of the file belongs to the function, its name too. */
  start: number;
  end: number;
}

/** Visits every function, and calls `check` with all of them at the end of the file. */
export function forAllFunctions(
  context: Context,
  check: (functions: readonly NamedFunction[]) => void,
): Visitor {
  const found: NamedFunction[] = [];
  const note = (node: FunctionNode) => void found.push({ node, ...nameOf(node, context) });
  return {
    FunctionDeclaration: note,
    FunctionExpression: note,
    ArrowFunctionExpression: note,
    "Program:exit": () => check(found),
  };
}

/** On how many lines these tokens stand: blank lines and comments have none. */
export function countLines(tokens: readonly Token[]): number {
  const lines = new Set<number>();
  for (const { loc } of tokens)
    for (let line = loc.start.line; line <= loc.end.line; line += 1) lines.add(line);
  return lines.size;
}

function nameOf(node: FunctionNode, context: Context): Omit<NamedFunction, "node"> {
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
