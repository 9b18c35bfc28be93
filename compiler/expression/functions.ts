/** The functions of expressions: what they take, what they give. How they work is in `call-function.ts`. */
import { booleanType, anyType, stringType, type Type } from "./types.ts";

export interface Signature {
  /** Kinds of the fixed arguments. */
  args: readonly Type["kind"][];
  /** Kind of any further arguments; null when there are none. */
  rest: Type["kind"] | null;
  /** At least so many arguments. */
  min: number;
  result: Type;
  usage: string;
}

const functions: Readonly<Record<string, Signature>> = {
  contains: sign(["any", "any"], null, booleanType, "contains(text or list, item)"),
  startsWith: sign(["string", "string"], null, booleanType, "startsWith(text, start)"),
  endsWith: sign(["string", "string"], null, booleanType, "endsWith(text, end)"),
  matches: sign(["string", "string"], null, booleanType, "matches(text, regularExpression)"),
  format: sign(["string"], "any", stringType, "format('{0} and {1}', a, b)"),
  join: sign(["list", "string"], null, stringType, "join(list, separator)", 1),
  fromJson: sign(["string"], null, anyType, "fromJson(text)"),
  toJson: sign(["any"], null, stringType, "toJson(value)"),
  changed: sign(["string"], "string", booleanType, "changed('glob', …)"),
  coalesce: sign(["any"], "any", anyType, "coalesce(value, …)"),
};

function sign(
  args: Type["kind"][],
  rest: Type["kind"] | null,
  result: Type,
  usage: string,
  min = args.length,
): Signature {
  return { args, rest, min, result, usage };
}

/** Functions that the language will have. */
export const laterFunctions: readonly string[] = ["hashFiles"];

export const functionNames = Object.keys(functions);

export function signatureOf(name: string): Signature | undefined {
  return Object.hasOwn(functions, name) ? functions[name] : undefined;
}
