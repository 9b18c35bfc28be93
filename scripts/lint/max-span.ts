/**
 * A factory `createX(deps)` may be longer than a screen, since `max-own-lines` does not count the functions with a name
 * inside it; but they share what it closes over, and nobody keeps any number of them in mind. So its whole length has a
 * bound too: all its lines, without blank ones and comments.
 */
import { countLines, forAllFunctions, type Rule } from "./named-functions.ts";

export const maxSpan: Rule = {
  meta: {
    schema: [{ type: "object", properties: { max: { type: "integer" } }, additionalProperties: false }],
    defaultOptions: [{ max: 150 }],
  },
  create(context) {
    const { max } = context.options[0] as { max: number };
    return forAllFunctions(context, (functions) => {
      for (const { node, name } of functions) {
        const lines = countLines(context.sourceCode.getTokens(node));
        if (lines > max) context.report({ node, message: tooLong(name, lines, max) });
      }
    });
  },
};

function tooLong(name: string, lines: number, max: number): string {
  return `${name || "This function"} spans ${lines} lines, and ${max} are the maximum: move what belongs together into a function of its own outside it.`;
}
