/**
 * Tokens to a tree. Binding, loosest first: `||`, `&&`, `== !=`, `< <= > >=`, `+`, `!`, then `.name`, `[index]` and
 * calls. Functions are not values: a name before `(` is a call.
 */
import { limits } from "../limits.ts";
import { lex, type Token } from "./lex.ts";
import { ExpressionProblem } from "./problem.ts";

interface Positioned {
  start: number;
  end: number;
}
export type BinaryOperator = "||" | "&&" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "+";
export type Expression =
  | (Positioned & { kind: "literal"; value: string | number | boolean | null })
  | (Positioned & { kind: "name"; name: string })
  | (Positioned & { kind: "member"; object: Expression; key: Expression; name: string | null })
  | (Positioned & { kind: "call"; name: string; nameEnd: number; args: Expression[] })
  | (Positioned & { kind: "not"; operand: Expression })
  | (Positioned & { kind: "binary"; operator: BinaryOperator; left: Expression; right: Expression });

const levels: readonly (readonly BinaryOperator[])[] = [
  ["||"],
  ["&&"],
  ["==", "!="],
  ["<", "<=", ">", ">="],
  ["+"],
];

/** Throws `ExpressionProblem` P201 with the place in `text`. */
export function parseExpression(text: string): Expression {
  const tokens = lex(text);
  let position = 0;
  let depth = 0;

  const peek = (): Token => tokens[position] as Token;
  const next = (): Token => tokens[position++] as Token;
  const isSign = (text: string): boolean => {
    const token = peek();
    return token.kind === "sign" && token.text === text;
  };

  function expectSign(text: string): Token {
    if (isSign(text)) return next();
    throw unexpected(peek(), `expected ${JSON.stringify(text)}`);
  }

  function nested<T>(read: () => T): T {
    depth += 1;
    if (depth > limits.expressionDepth) {
      throw new ExpressionProblem("P201", peek(), {
        message: `nested deeper than ${limits.expressionDepth} levels`,
      });
    }
    const result = read();
    depth -= 1;
    return result;
  }

  function binary(level: number): Expression {
    const operators = levels[level];
    if (operators === undefined) return unary();
    let left = binary(level + 1);
    for (;;) {
      const operator = operators.find(isSign);
      if (operator === undefined) return left;
      next();
      const right = binary(level + 1);
      left = { kind: "binary", operator, left, right, start: left.start, end: right.end };
    }
  }

  function unary(): Expression {
    if (!isSign("!")) return postfix();
    const mark = next();
    const operand = nested(unary);
    return { kind: "not", operand, start: mark.start, end: operand.end };
  }

  function postfix(): Expression {
    let object = primary();
    for (;;) {
      if (isSign(".")) {
        next();
        const token = next();
        if (token.kind !== "name") throw unexpected(token, "expected a name after the dot");
        const key: Expression = { kind: "literal", value: token.text, start: token.start, end: token.end };
        object = { kind: "member", object, key, name: token.text, start: object.start, end: token.end };
      } else if (isSign("[")) {
        next();
        const key = nested(() => binary(0));
        const { end } = expectSign("]");
        const name = key.kind === "literal" && typeof key.value === "string" ? key.value : null;
        object = { kind: "member", object, key, name, start: object.start, end };
      } else return object;
    }
  }

  function primary(): Expression {
    const token = next();
    if (token.kind === "text" || token.kind === "number") {
      return { kind: "literal", value: token.value, start: token.start, end: token.end };
    }
    if (token.kind === "name") return isSign("(") ? call(token) : word(token);
    if (token.kind === "sign" && token.text === "(") {
      const inner = nested(() => binary(0));
      const { end } = expectSign(")");
      return { ...inner, start: token.start, end };
    }
    throw unexpected(token, "expected a value");
  }

  function call(token: Token & { kind: "name" }): Expression {
    next();
    const args: Expression[] = [];
    while (!isSign(")")) {
      if (args.length > 0) expectSign(",");
      args.push(nested(() => binary(0)));
    }
    const { end } = next();
    return { kind: "call", name: token.text, nameEnd: token.end, args, start: token.start, end };
  }

  const result = binary(0);
  if (peek().kind !== "end") throw unexpected(peek(), "expected an operator or the end");
  return result;
}

const words = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

function word(token: Token & { kind: "name" }): Expression {
  const { start, end } = token;
  const value = words.get(token.text);
  if (value !== undefined) return { kind: "literal", value, start, end };
  return { kind: "name", name: token.text, start, end };
}

function unexpected(token: Token, wanted: string): ExpressionProblem {
  const found = token.kind === "end" ? "the expression ends here" : "found something else";
  const span = token.kind === "end" ? { start: token.start, end: token.end + 1 } : token;
  return new ExpressionProblem("P201", span, { message: `${wanted}, but ${found}` });
}
