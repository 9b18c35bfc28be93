/** How the functions of expressions work. Arguments are checked again: `any` is known only now. */
import { limits } from "../limits.ts";
import { spend, type Evaluation } from "./budget.ts";
import type { Expression } from "./parse.ts";
import { ExpressionProblem } from "./problem.ts";
import { findPattern } from "./regular-expression.ts";
import { changedMatches, kindOf, textOf, type Value } from "./values.ts";

type Call = Expression & { kind: "call" };

/** Characters that cost as much as one evaluation step. */
const charsPerStep = 256;

export function callFunction(node: Call, args: readonly Value[], evaluation: Evaluation): Value {
  const text = (index: number): string => {
    const value = args[index];
    if (typeof value === "string") return value;
    throw wrong(node, index, { wanted: "text", value });
  };
  for (const arg of args) if (typeof arg === "string") spend(evaluation, node, arg.length / charsPerStep);
  switch (node.name) {
    case "contains":
      return contains(node, args, evaluation);
    case "startsWith":
      return text(0).startsWith(text(1));
    case "endsWith":
      return text(0).endsWith(text(1));
    case "matches":
      return attempt(node, "P208", () => findPattern(text(0), text(1)));
    case "format":
      return format(node, text(0), args.slice(1));
    case "join":
      return join(node, args);
    case "fromJson":
      return attempt(node, "P204", () => parseJson(text(0)));
    case "toJson":
      return JSON.stringify(args[0] ?? null);
    case "changed":
      return changed(
        node,
        args.map((_, i) => text(i)),
        evaluation,
      );
    case "hashFiles":
      return hashFiles(
        node,
        args.map((_, i) => text(i)),
        evaluation,
      );
    default:
      throw new ExpressionProblem("P203", node, { message: `unknown function ${node.name}` });
  }
}

function wrong(
  node: Call,
  index: number,
  { wanted, value }: { wanted: string; value: Value | undefined },
): ExpressionProblem {
  const at = node.args[index] ?? node;
  const message = `argument ${index + 1} of ${node.name} must be ${wanted}, but is ${kindOf(value ?? null)}`;
  return new ExpressionProblem("P204", at, { message });
}

function attempt<T>(node: Call, code: "P204" | "P208", work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ExpressionProblem) throw error;
    throw new ExpressionProblem(code, node, {
      message: error instanceof Error ? error.message : "not valid",
    });
  }
}

function contains(node: Call, [whole, part]: readonly Value[], evaluation: Evaluation): boolean {
  if (typeof whole === "string" && typeof part === "string") return whole.includes(part);
  if (!Array.isArray(whole)) throw wrong(node, 0, { wanted: "text (with text) or a list", value: whole });
  spend(evaluation, node, whole.length / charsPerStep);
  return whole.includes(part);
}

/** `{0}` stands for the first value, `{{` and `}}` for braces. */
function format(node: Call, template: string, values: readonly Value[]): string {
  let length = 0;
  return template.replace(/\{\{|\}\}|\{(\d{1,3})\}/g, (found: string, index: string | undefined) => {
    if (index === undefined) return found.charAt(0);
    const value = values[Number(index)];
    const text = value === undefined ? null : textOf(value);
    if (text === null) throw wrong(node, Number(index) + 1, { wanted: "a plain value", value });
    length += text.length;
    if (length <= limits.expressionResultChars) return text;
    throw new ExpressionProblem("P204", node, { message: "the text is too long" });
  });
}

function join(node: Call, [list, separator = ","]: readonly Value[]): string {
  if (!Array.isArray(list)) throw wrong(node, 0, { wanted: "a list", value: list });
  if (typeof separator !== "string") throw wrong(node, 1, { wanted: "text", value: separator });
  const texts = (list as readonly Value[]).map((item) => textOf(item) ?? JSON.stringify(item));
  const length = texts.reduce((sum, text) => sum + text.length + separator.length, 0);
  if (length > limits.expressionResultChars)
    throw new ExpressionProblem("P204", node, { message: "the text is too long" });
  return texts.join(separator);
}

function parseJson(text: string): Value {
  try {
    return JSON.parse(text) as Value;
  } catch (error) {
    throw new Error("the text is not JSON", { cause: error });
  }
}

/** Where there is no checkout, as on the server, files have no hash. */
function hashFiles(node: Call, globs: string[], { contexts }: Evaluation): string {
  if (contexts.hashFiles) return contexts.hashFiles(globs);
  throw new ExpressionProblem("P207", node, { message: "hashFiles has no files to read here" });
}

function changed(node: Call, globs: string[], evaluation: Evaluation): boolean {
  const paths = evaluation.contexts.changedPaths ?? [];
  const characters = paths.reduce((sum, path) => sum + path.length, 0) * globs.length;
  spend(evaluation, node, characters / (charsPerStep * 4));
  return changedMatches(evaluation.contexts, globs);
}
