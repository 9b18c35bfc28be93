/** Evaluates a matrix as it stands in the file, with its expressions, and expands it. Pure. */
import { matrixNamePattern } from "@forgeline/schemas/pipeline-file/file-matrix.ts";
import type { MatrixValues, PlanMatrixSource } from "@forgeline/schemas/pipeline-file/plan.ts";
import { evaluate } from "./expression/evaluate.ts";
import { parseExpression } from "./expression/parse.ts";
import { kindOf, textOf, type Contexts, type Value } from "./expression/values.ts";
import { atMost, defaultLimits, type HeldLimit } from "./held-limits.ts";
import { limits } from "./limits.ts";
import { combine, MatrixProblem, type MatrixLists } from "./matrix.ts";
import { quote } from "./suggest.ts";
import { conditionSource, renderTemplate } from "./template.ts";

/** All combinations; `limit` is their number. Throws `MatrixProblem`, or `ExpressionProblem` from an expression. */
export function expandMatrix(
  source: PlanMatrixSource,
  contexts: Contexts,
  limit: HeldLimit = defaultLimits.matrix_combinations,
): MatrixValues[] {
  if (typeof source === "string")
    return checked(combine(listsOfValue(valueOf(source, contexts), limit), limit));
  const values = source.values.map(({ name, list }) => ({
    name,
    list:
      typeof list === "string"
        ? textsOf(valueOf(list, contexts), { name, limit })
        : list.map((item) => renderTemplate(item, contexts)),
  }));
  const combinations = (part: "include" | "exclude") => {
    const written = source[part];
    if (typeof written === "string") return combinationsOf(valueOf(written, contexts), { what: part, limit });
    return written.map((one) =>
      Object.fromEntries(Object.entries(one).map(([name, value]) => [name, renderTemplate(value, contexts)])),
    );
  };
  const lists = { values, include: combinations("include"), exclude: combinations("exclude") };
  return checked(combine(lists, limit));
}

function valueOf(text: string, contexts: Contexts): Value {
  return evaluate(parseExpression(conditionSource(text).source), contexts);
}

/** A mapping as in a file, or a list of combinations. */
function listsOfValue(value: Value, limit: HeldLimit): MatrixLists {
  if (kindOf(value) === "list")
    return { values: [], include: combinationsOf(value, { what: "the matrix", limit }), exclude: [] };
  if (kindOf(value) !== "map")
    throw new MatrixProblem(`the matrix must be a mapping or a list, not ${kindOf(value)}`);
  const entries = Object.entries(value as Readonly<Record<string, Value>>);
  const part = (name: string) =>
    entries
      .filter(([key]) => key === name)
      .flatMap(([, found]) => combinationsOf(found, { what: name, limit }));
  const values = entries
    .filter(([name]) => name !== "include" && name !== "exclude")
    .map(([name, list]) => ({ name: checkedName(name), list: textsOf(list, { name, limit }) }));
  return { values, include: part("include"), exclude: part("exclude") };
}

function textsOf(value: Value, { name, limit }: { name: string; limit: HeldLimit }): string[] {
  if (!Array.isArray(value))
    throw new MatrixProblem(`${quote(name)} of the matrix must be a list, not ${kindOf(value)}`);
  if (value.length > limits.matrixProduct)
    throw new MatrixProblem(
      `${quote(name)} of the matrix has ${value.length} values; at most ${limit.value} combinations are allowed`,
      true,
    );
  return value.map((item: Value) => plainText(item, name));
}

function combinationsOf(value: Value, { what, limit }: { what: string; limit: HeldLimit }): MatrixValues[] {
  if (!Array.isArray(value)) throw new MatrixProblem(`${what} must be a list, not ${kindOf(value)}`);
  if (value.length > limit.value)
    throw new MatrixProblem(`${what} has ${value.length} entries; ${atMost(limit)}`, true);
  return value.map((item: Value) => {
    if (kindOf(item) !== "map" || Object.keys(item as object).length === 0)
      throw new MatrixProblem(`each entry of ${what} must be a mapping of names to values`);
    const entries = Object.entries(item as Readonly<Record<string, Value>>);
    return Object.fromEntries(entries.map(([name, one]) => [checkedName(name), plainText(one, name)]));
  });
}

function plainText(value: Value, name: string): string {
  const text = value === null ? null : textOf(value);
  if (text === null)
    throw new MatrixProblem(`a value of ${quote(name)} must be text, a number, true or false`);
  return text;
}

function checkedName(name: string): string {
  if (matrixNamePattern.test(name) && name !== "__proto__") return name;
  throw new MatrixProblem(
    `${quote(name)} must be a name of letters, digits and _, not beginning with a digit`,
  );
}

function checked(combinations: MatrixValues[]): MatrixValues[] {
  for (const one of combinations) {
    let chars = 0;
    for (const [name, value] of Object.entries(one)) {
      chars += name.length + value.length;
      if (value.length > limits.matrixValueChars || value.includes("\0") || !value.isWellFormed())
        throw new MatrixProblem(
          `a value of ${quote(name)} must be text of at most ${limits.matrixValueChars} characters`,
        );
    }
    if (chars > limits.combinationChars)
      throw new MatrixProblem(
        `a combination has ${chars} characters; at most ${limits.combinationChars} are allowed`,
        true,
      );
  }
  return combinations;
}
