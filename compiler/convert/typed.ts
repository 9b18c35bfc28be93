/** Pieces of expressions in our language, with their types, and how they are joined. */
import { CannotConvert } from "./cannot.ts";

export type Kind = "string" | "number" | "boolean" | "any" | "null";
export interface Typed {
  text: string;
  kind: Kind;
  /** How loosely it binds, if it has an operator: 1 is `||`, 2 `&&`, 3 a comparison. */
  level?: 1 | 2 | 3;
  /** A literal's value. */
  literal?: string | number | boolean;
}

export function textLiteral(value: string): Typed {
  return { text: `'${value.replaceAll("'", "''")}'`, kind: "string", literal: value };
}
export function literalOf(value: string | number | boolean | null): Typed {
  if (value === null) return { text: "null", kind: "null" };
  if (typeof value === "string") return textLiteral(value);
  return { text: String(value), kind: typeof value as "number" | "boolean", literal: value };
}
export const always: Typed = { text: "true", kind: "boolean", literal: true };
export const never: Typed = { text: "false", kind: "boolean", literal: false };

/** In parentheses where an operator of that level would bind more tightly. */
export function inside({ text, level }: Typed, around = 4): string {
  return level !== undefined && level < around ? `(${text})` : text;
}

/** As a condition: text counts unless it is empty, numbers unless they are 0. */
export function asCondition(value: Typed): Typed {
  if (value.kind === "boolean") return value;
  if (value.literal !== undefined) return value.literal ? always : never;
  if (value.kind === "null") return never;
  if (value.kind === "number") return condition(`${inside(value)} != 0`);
  if (value.kind === "string") return condition(`${inside(value)} != ''`);
  throw new CannotConvert("whether this value counts as true is only known when it runs");
}

export function condition(text: string, level: 1 | 2 | 3 = 3): Typed {
  return { text, kind: "boolean", level };
}

export function and(parts: readonly Typed[]): Typed {
  const left = parts.map(asCondition).filter(({ literal }) => literal !== true);
  if (left.some(({ literal }) => literal === false)) return never;
  if (left.length === 0) return always;
  return left.length === 1
    ? (left[0] as Typed)
    : condition(left.map((part) => inside(part, 2)).join(" && "), 2);
}

export function or(parts: readonly Typed[]): Typed {
  const left = parts.map(asCondition).filter(({ literal }) => literal !== false);
  if (left.some(({ literal }) => literal === true)) return always;
  if (left.length === 0) return never;
  return left.length === 1
    ? (left[0] as Typed)
    : condition(left.map((part) => inside(part, 1)).join(" || "), 1);
}

export function not(part: Typed): Typed {
  const value = asCondition(part);
  if (value.literal !== undefined) return value.literal ? never : always;
  for (const [sign, opposite] of [
    ["==", "!="],
    ["!=", "=="],
  ] as const) {
    const sides = value.text.split(` ${sign} `);
    if (value.level === 3 && sides.length === 2) return condition(sides.join(` ${opposite} `));
  }
  return { text: `!${inside(value)}`, kind: "boolean" };
}

/** Values of unlike types are compared as the author meant it: `matrix.node == 22` compares texts. */
export function compare(operator: string, left: Typed, right: Typed): Typed {
  const [a, b] = alike(left, right);
  if (a.literal !== undefined && b.literal !== undefined && (operator === "==" || operator === "!="))
    return (a.literal === b.literal) === (operator === "==") ? always : never;
  return condition(`${inside(a)} ${operator} ${inside(b)}`);
}

function alike(left: Typed, right: Typed): [Typed, Typed] {
  if (left.kind === right.kind || left.kind === "any" || right.kind === "any") return [left, right];
  if (left.kind === "null" || right.kind === "null") return [left, right];
  if (right.literal !== undefined) return [left, literalAs(left.kind, right.literal)];
  if (left.literal !== undefined) return [literalAs(right.kind, left.literal), right];
  throw new CannotConvert("it compares values of different types");
}

function literalAs(kind: Kind, value: string | number | boolean): Typed {
  if (kind === "string") return textLiteral(String(value));
  if (kind === "number" && value !== "" && !Number.isNaN(Number(value))) return literalOf(Number(value));
  if (kind === "boolean" && (String(value) === "true" || String(value) === "false"))
    return String(value) === "true" ? always : never;
  throw new CannotConvert("it compares values of different types");
}
