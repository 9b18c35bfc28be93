/** Text that holds `${{ expression }}`. A value becomes text; null becomes empty; lists and mappings are refused. */
import { evaluate } from "./expression/evaluate.ts";
import { parseExpression, type Expression } from "./expression/parse.ts";
import { ExpressionProblem } from "./expression/problem.ts";
import { textOf, type Contexts } from "./expression/values.ts";
import { limits } from "./limits.ts";

/** `offset`: where the expression's text begins in the template. */
export type TemplatePart =
  | { kind: "text"; text: string }
  | { kind: "expression"; source: string; offset: number };

const opening = "${{";

export function hasExpression(text: string): boolean {
  return text.includes(opening);
}

/** Splits a template. Throws `ExpressionProblem` (offsets in the template) for `${{` without `}}`. */
export function splitTemplate(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let at = 0;
  for (;;) {
    const start = text.indexOf(opening, at);
    if (start > at || (start === -1 && at < text.length)) {
      parts.push({ kind: "text", text: text.slice(at, start === -1 ? undefined : start) });
    }
    if (start === -1) return parts;
    const offset = start + opening.length;
    const end = findEnd(text, offset);
    if (end === -1) {
      const span = { start, end: text.length };
      throw new ExpressionProblem("P201", span, {
        message: "the expression is not closed",
        hint: "end it with }}",
      });
    }
    parts.push({ kind: "expression", source: text.slice(offset, end), offset });
    at = end + 2;
  }
}

/** The `}}` that is not inside quotes. */
function findEnd(text: string, from: number): number {
  let mark: string | null = null;
  for (let i = from; i < text.length; i += 1) {
    const character = text.charAt(i);
    if (mark !== null) {
      if (character === mark) mark = null;
    } else if (character === "'" || character === '"') mark = character;
    else if (character === "}" && text.charAt(i + 1) === "}") return i;
  }
  return -1;
}

export type Template = (string | Expression)[];

/** Throws `ExpressionProblem`. */
export function parseTemplate(text: string): Template {
  return splitTemplate(text).map((part) => (part.kind === "text" ? part.text : parseExpression(part.source)));
}

/** Evaluates all expressions of the text. Throws `ExpressionProblem` with a sentence for people. */
export function renderTemplate(text: string, contexts: Contexts): string {
  if (!hasExpression(text)) return text;
  let result = "";
  for (const part of parseTemplate(text)) {
    result += typeof part === "string" ? part : renderExpression(part, contexts);
    if (result.length > limits.outputBytes) {
      throw new ExpressionProblem(
        "P204",
        { start: 0, end: text.length },
        { message: "the resulting text is too long" },
      );
    }
  }
  // `fromJson` can make them; no environment, file name or database holds them.
  if (result.includes("\0") || !result.isWellFormed()) {
    const message = "a text must not contain NUL or unpaired surrogates";
    throw new ExpressionProblem("P204", { start: 0, end: text.length }, { message });
  }
  return result;
}

function renderExpression(expression: Expression, contexts: Contexts): string {
  const text = textOf(evaluate(expression, contexts));
  if (text !== null) return text;
  throw new ExpressionProblem("P204", expression, {
    message: "a list or mapping cannot be converted to text",
    hint: "use toJson or join",
  });
}

/** A condition may stand bare or as one `${{ }}`. Gives the expression's text and where it begins. */
export function conditionSource(text: string): { source: string; offset: number } {
  const lead = text.length - text.trimStart().length;
  const body = text.trim();
  if (!body.startsWith(opening) || !body.endsWith("}}")) return { source: text, offset: 0 };
  return { source: body.slice(opening.length, -2), offset: lead + opening.length };
}
