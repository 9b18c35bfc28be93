/**
 * A function does one thing when what it says itself fits on a screen. So its own lines are counted: neither those of
 * functions with a name inside it, of which a factory `createX(deps)` has many, nor blank lines and comments. A function
 * without a name, such as a callback, belongs to the one around it.
 */
import {
  countLines,
  forAllFunctions,
  type Context,
  type NamedFunction,
  type Rule,
} from "./named-functions.ts";

export const maxOwnLines: Rule = {
  meta: {
    schema: [{ type: "object", properties: { max: { type: "integer" } }, additionalProperties: false }],
    defaultOptions: [{ max: 40 }],
  },
  create(context) {
    const { max } = context.options[0] as { max: number };
    return forAllFunctions(context, (functions) => {
      for (const each of functions) {
        if (each.name === "" && functions.some((other) => isInside(each, other))) continue;
        const lines = ownLines(each, functions, context);
        if (lines > max) context.report({ node: each.node, message: tooLong(each.name, lines, max) });
      }
    });
  },
};

function tooLong(name: string, lines: number, max: number): string {
  return `${name || "This function"} has ${lines} lines of its own, and ${max} are the most: split it by what its parts do.`;
}

function isInside(one: NamedFunction, other: NamedFunction): boolean {
  return one !== other && other.start <= one.start && one.end <= other.end;
}

function ownLines(own: NamedFunction, functions: readonly NamedFunction[], context: Context): number {
  const { body } = own.node;
  if (!body || body.loc.end.line - body.loc.start.line < 2) return 0;
  const inner = functions.filter((other) => other.name !== "" && isInside(other, own));
  const tokens = context.sourceCode.getTokens(body);
  const said = body.type === "BlockStatement" ? tokens.slice(1, -1) : tokens;
  return countLines(
    said.filter(({ range: [from, to] }) => !inner.some(({ start, end }) => start <= from && to <= end)),
  );
}
