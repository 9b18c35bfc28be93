/** GitHub's expressions in our language. They read alike; types are converted, since ours compares only what is alike. */
import { parseExpression, type Expression } from "../../expression/parse.ts";
import { ExpressionProblem } from "../../expression/problem.ts";
import { CannotConvert } from "../cannot.ts";
import { and, asCondition, compare, inside, literalOf, not, or, type Kind, type Typed } from "../typed.ts";
import { contextValue, isEvent, isRef } from "./context-values.ts";
import type { Known } from "./known.ts";

/** Throws `CannotConvert`. */
export function parseTheirs(text: string): Expression {
  try {
    return parseExpression(text);
  } catch (error) {
    if (error instanceof ExpressionProblem)
      throw new CannotConvert(`this expression is not understood (${error.message})`);
    throw error;
  }
}

/** Throws `CannotConvert`. */
export function translateText(text: string, known: Known): Typed {
  return translate(parseTheirs(text), known);
}

/** Throws `CannotConvert`. */
export function translate(expression: Expression, known: Known): Typed {
  switch (expression.kind) {
    case "literal":
      return literalOf(expression.value);
    case "not":
      return not(translate(expression.operand, known));
    case "call":
      return callOf(expression, known);
    case "binary":
      return binaryOf(expression, known);
    default:
      return valueOf(expression, known);
  }
}

/** `github`, `event`, `inputs` of `github.event.inputs`. null: a member that is computed. */
export function pathOf(expression: Expression): string[] | null {
  if (expression.kind === "name") return wordOf(expression.name);
  if (expression.kind !== "member" || expression.name === null) return null;
  const before = pathOf(expression.object);
  return before && [...before, expression.name];
}

function wordOf(name: string): string[] | null {
  return ["true", "false", "null"].includes(name) ? null : [name];
}

function valueOf(expression: Expression, known: Known): Typed {
  const path = pathOf(expression);
  if (path?.[0] === "env" && path[1] !== undefined) return envValue(path[1], known);
  if (path !== null) return contextValue(path, known);
  if (expression.kind !== "member") throw new CannotConvert("this expression is not understood");
  const object = translate(expression.object, known);
  const key = expression.name === null ? `[${translate(expression.key, known).text}]` : `.${expression.name}`;
  return { text: `${inside(object)}${key}`, kind: "any" };
}

/** Our expressions do not know the environment, so the value takes its place. */
function envValue(name: string, known: Known): Typed {
  const value = known.env.get(name);
  if (value === undefined)
    throw new CannotConvert(`expressions do not know env.${name}`, `use $${name} in a step`);
  if (!value.includes("${{")) return literalOf(value);
  const whole = /^\s*\$\{\{((?:(?!\$\{\{).)*)\}\}\s*$/s.exec(value);
  if (!whole) throw new CannotConvert(`env.${name} is made of several parts`, `use $${name} in a step`);
  const env = new Map(known.env);
  env.delete(name);
  return translateText(whole[1] ?? "", { ...known, env });
}

function binaryOf(expression: Expression & { kind: "binary" }, known: Known): Typed {
  const { operator, left, right } = expression;
  if (operator === "&&") return bothOf(left, right, known);
  if (operator === "||") return eitherOf(left, right, known);
  const special = operator === "==" || operator === "!=" ? specialOf(left, right, known) : null;
  if (special) return operator === "==" ? special : not(special);
  return compare(
    operator,
    resultWord(left, translate(left, known), right),
    resultWord(right, translate(right, known), left),
  );
}

function bothOf(left: Expression, right: Expression, known: Known): Typed {
  const [a, b] = [translate(left, known), translate(right, known)];
  if (b.kind !== "boolean" && a.literal === undefined)
    throw new CannotConvert("a value after && needs another one after ||", "decide it in a step");
  return and([a, b]);
}

/** Between conditions it is a condition, between texts the first that is not empty. */
function eitherOf(left: Expression, right: Expression, known: Known): Typed {
  const choice = choiceOf(left, right, known);
  if (choice) return choice;
  const sides = [left, right].map((side) => tryAbsent(side, known)).filter((side) => side !== null);
  if (sides.length === 0) throw new CannotConvert("merge requests do not start runs yet");
  if (sides.length === 1) return sides[0] as Typed;
  const [a, b] = sides as [Typed, Typed];
  if (a.kind === "boolean" && b.kind === "boolean") return or([a, b]);
  if (a.kind === "boolean")
    throw new CannotConvert(
      "a condition and a value cannot stand on the sides of one ||",
      "decide it in a step",
    );
  return { text: `coalesce(${a.text}, ${b.text})`, kind: a.kind === b.kind ? a.kind : ("any" as Kind) };
}

/**
 * `condition && value || other value`. Theirs goes on to the other one where the value counts as false, so it must be written out and
 * count as true. null: it is none of these.
 */
function choiceOf(left: Expression, right: Expression, known: Known): Typed | null {
  if (left.kind !== "binary" || left.operator !== "&&") return null;
  const value = translate(left.right, known);
  if (value.kind === "boolean" || !value.literal) return null;
  const [when, other] = [asCondition(translate(left.left, known)), translate(right, known)];
  if (other.kind !== value.kind) return null;
  return { text: `${inside(when, 2)} && ${value.text} || ${inside(other, 1)}`, kind: value.kind, level: 1 };
}

/** What only merge requests have is absent, so the other side counts. */
function tryAbsent(side: Expression, known: Known): Typed | null {
  const path = pathOf(side)?.join(".") ?? "";
  if (
    side.kind === "binary" &&
    side.operator === "||" &&
    [side.left, side.right].every((each) => tryAbsent(each, known) === null)
  )
    return null;
  return /^github\.(head_ref|base_ref|event\.(pull_request|number)\b)/.test(path)
    ? null
    : translate(side, known);
}

function specialOf(left: Expression, right: Expression, known: Known): Typed | null {
  const [subject, other] = left.kind === "literal" ? [right, left] : [left, right];
  if (other.kind !== "literal" || typeof other.value !== "string") return null;
  const path = pathOf(subject)?.join(".");
  if (path === "github.event_name") return isEvent(other.value);
  if (path === "github.ref") return isRef(other.value, false);
  if (path === "github.ref_type") return isRef(other.value === "tag" ? "refs/tags/" : "refs/heads/", true);
  if (path === "github.event_path") return translate(subject, known);
  return null;
}

/** `failure` is `failed` here. */
function resultWord(side: Expression, value: Typed, other: Expression): Typed {
  const path = pathOf(other) ?? [];
  const last = path.at(-1) ?? "";
  if (side.kind !== "literal" || !["needs", "steps"].includes(path[0] ?? "")) return value;
  return value.literal === "failure" && ["result", "outcome", "conclusion"].includes(last)
    ? literalOf("failed")
    : value;
}

const names: Readonly<Record<string, { ours: string; kind: Kind }>> = {
  contains: { ours: "contains", kind: "boolean" },
  startsWith: { ours: "startsWith", kind: "boolean" },
  endsWith: { ours: "endsWith", kind: "boolean" },
  format: { ours: "format", kind: "string" },
  join: { ours: "join", kind: "string" },
  toJSON: { ours: "toJson", kind: "string" },
  fromJSON: { ours: "fromJson", kind: "any" },
  hashFiles: { ours: "hashFiles", kind: "string" },
};
const byLowerCase = new Map(Object.entries(names).map(([name, found]) => [name.toLowerCase(), found]));

function callOf(expression: Expression & { kind: "call" }, known: Known): Typed {
  const { name, args } = expression;
  const found = byLowerCase.get(name.toLowerCase());
  if (found === undefined)
    throw new CannotConvert(`${name}() is only understood on its own, joined by && and ||`);
  const [first, second] = args;
  if (
    found.ours === "startsWith" &&
    first &&
    second?.kind === "literal" &&
    pathOf(first)?.join(".") === "github.ref"
  )
    return isRef(String(second.value), true);
  if (found.ours === "contains" && first && pathOf(first)?.join(".") === "github.ref" && second)
    return { text: `contains(coalesce(tag, branch), ${translate(second, known).text})`, kind: "boolean" };
  const given = args.map((arg) => translate(arg, known));
  if (found.kind === "boolean" && given.some(({ kind }) => kind === "number" || kind === "boolean"))
    return {
      text: `${found.ours}(${given.map(({ text, literal }) => (literal === undefined ? text : `'${literal}'`)).join(", ")})`,
      kind: "boolean",
    };
  return { text: `${found.ours}(${given.map(({ text }) => text).join(", ")})`, kind: found.kind };
}

/** As a condition. Throws `CannotConvert`. */
export function translateCondition(expression: Expression, known: Known): Typed {
  return asCondition(translate(expression, known));
}
