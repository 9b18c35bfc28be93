/** Expression text to tokens. Names may hold `-` (`needs.my-job`), since there is no subtraction. */
import { limits } from "../limits.ts";
import { ExpressionProblem } from "./problem.ts";

export type Token =
  | { kind: "name"; text: string; start: number; end: number }
  | { kind: "text"; value: string; start: number; end: number }
  | { kind: "number"; value: number; start: number; end: number }
  | { kind: "sign"; text: string; start: number; end: number }
  | { kind: "end"; start: number; end: number };

const space = /[ \t\r\n]+/y;
const name = /[A-Za-z_][A-Za-z0-9_-]*/y;
/** After a dot ids may begin with a digit. */
const property = /[A-Za-z0-9_][A-Za-z0-9_-]*/y;
const number = /-?[0-9]+(\.[0-9]+)?/y;
const sign = /&&|\|\||==|!=|<=|>=|[!<>+()[\],.]/y;

/** Throws `ExpressionProblem` P201. */
export function lex(text: string): Token[] {
  if (text.length > limits.expressionChars) {
    const message = `the expression is longer than ${limits.expressionChars} characters`;
    throw new ExpressionProblem("P201", { start: 0, end: text.length }, { message });
  }
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0] ?? null;
  };
  for (;;) {
    at += match(space)?.length ?? 0;
    if (at >= text.length) break;
    const token = readToken(text, { start: at, before: tokens.at(-1) }, match);
    tokens.push(token);
    at = token.end;
  }
  tokens.push({ kind: "end", start: text.length, end: text.length });
  return tokens;
}

function readToken(
  text: string,
  { start, before }: { start: number; before: Token | undefined },
  match: (pattern: RegExp) => string | null,
): Token {
  const first = text.charAt(start);
  if (first === "'" || first === '"') return readText(text, start);
  const afterDot = before?.kind === "sign" && before.text === ".";
  const word = match(afterDot ? property : name);
  if (word !== null) return { kind: "name", text: word, start, end: start + word.length };
  const digits = match(number);
  if (digits !== null) return { kind: "number", value: Number(digits), start, end: start + digits.length };
  const operator = match(sign);
  if (operator !== null) return { kind: "sign", text: operator, start, end: start + operator.length };
  const hints: Record<string, string> = { "=": "compare with ==", "&": "use &&", "|": "use ||" };
  const message = `unexpected ${JSON.stringify(first)}`;
  throw new ExpressionProblem("P201", { start, end: start + 1 }, { message, hint: hints[first] ?? null });
}

/** 'text' or "text"; the quote itself is written twice. */
function readText(text: string, start: number): Token {
  const mark = text.charAt(start);
  let value = "";
  let from = start + 1;
  for (;;) {
    const end = text.indexOf(mark, from);
    if (end === -1) {
      const span = { start, end: text.length };
      throw new ExpressionProblem("P201", span, {
        message: "the text is not closed",
        hint: `end it with ${mark}`,
      });
    }
    value += text.slice(from, end);
    if (text.charAt(end + 1) !== mark) return { kind: "text", value, start, end: end + 1 };
    value += mark;
    from = end + 2;
  }
}
