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
  contains: sign("contains(text or list, item)", { args: ["any", "any"], result: booleanType }),
  startsWith: sign("startsWith(text, start)", { args: ["string", "string"], result: booleanType }),
  endsWith: sign("endsWith(text, end)", { args: ["string", "string"], result: booleanType }),
  matches: sign("matches(text, regularExpression)", { args: ["string", "string"], result: booleanType }),
  format: sign("format('{0} and {1}', a, b)", { args: ["string"], rest: "any", result: stringType }),
  join: sign("join(list, separator)", { args: ["list", "string"], result: stringType, min: 1 }),
  fromJson: sign("fromJson(text)", { args: ["string"], result: anyType }),
  toJson: sign("toJson(value)", { args: ["any"], result: stringType }),
  changed: sign("changed('glob', …)", { args: ["string"], rest: "string", result: booleanType }),
  hashFiles: sign("hashFiles('glob', …)", { args: ["string"], rest: "string", result: stringType }),
  coalesce: sign("coalesce(value, …)", { args: ["any"], rest: "any", result: anyType }),
};

function sign(
  usage: string,
  { args, rest = null, min = args.length, result }: Partial<Signature> & Pick<Signature, "args" | "result">,
): Signature {
  return { args, rest, min, result, usage };
}

export const functionNames = Object.keys(functions);

export function signatureOf(name: string): Signature | undefined {
  return Object.hasOwn(functions, name) ? functions[name] : undefined;
}
