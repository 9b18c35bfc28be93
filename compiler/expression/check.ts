/** Finds out, before anything runs, whether an expression can be evaluated: names, functions, types. */
import type { Code } from "../codes.ts";
import { quote, suggestion } from "../suggest.ts";
import type { Expression } from "./parse.ts";
import { functionNames, signatureOf } from "./functions.ts";
import { ExpressionProblem } from "./problem.ts";
import { compilePattern } from "./regular-expression.ts";
import {
  anyType,
  booleanType,
  fits,
  nullType,
  numberType,
  stringType,
  typeWord,
  type Type,
} from "./types.ts";

/** What an expression may use in its place. */
export interface ExpressionScope {
  names: ReadonlyMap<string, Type>;
  /** Names that exist elsewhere or later, each with the sentence why not here. */
  elsewhere: ReadonlyMap<string, string>;
  /** Whether files of the checkout can be read: only where the runner evaluates it, before the first step. */
  readsFiles: boolean;
}

export interface Checked {
  type: Type;
  problems: ExpressionProblem[];
  /** `needs.<job>.outputs.<name>` read by the expression; `*` for all. */
  outputsRead: { job: string; output: string }[];
}

/** Never throws: problems are listed, deepest cause only. */
export function checkExpression(expression: Expression, scope: ExpressionScope): Checked {
  const checker: Checker = { scope, problems: [], outputsRead: [], inCoalesce: false, inner: new Set() };
  const type = typeOf(expression, checker);
  return { type, problems: checker.problems, outputsRead: checker.outputsRead };
}

interface Checker {
  scope: ExpressionScope;
  problems: ExpressionProblem[];
  outputsRead: { job: string; output: string }[];
  inCoalesce: boolean;
  /** Beginnings of longer chains of members: `needs.a.outputs` of `needs.a.outputs.b`. */
  inner: Set<Expression>;
}

function typeOf(node: Expression, checker: Checker): Type {
  switch (node.kind) {
    case "literal":
      return literalType(node.value);
    case "name":
      return nameType(node, checker);
    case "member":
      return memberType(node, checker);
    case "call":
      return callType(node, checker);
    case "not":
      want(node.operand, { kind: "boolean", who: "! needs" }, checker);
      return booleanType;
    case "binary":
      return binaryType(node, checker);
  }
}

function literalType(value: string | number | boolean | null): Type {
  if (value === null) return nullType;
  if (typeof value === "string") return stringType;
  return typeof value === "number" ? numberType : booleanType;
}

function problem(
  checker: Checker,
  at: { start: number; end: number },
  { code, message, hint = null }: { code: Code; message: string; hint?: string | null | undefined },
): Type {
  checker.problems.push(new ExpressionProblem(code, at, { message, hint }));
  return anyType;
}

function want(
  node: Expression,
  { kind, who, hint }: { kind: Type["kind"]; who: string; hint?: string | undefined },
  checker: Checker,
): void {
  wantType({ node, type: typeOf(node, checker) }, { kind, who, hint }, checker);
}

function wantType(
  { node, type }: { node: Expression; type: Type },
  { kind, who, hint }: { kind: Type["kind"]; who: string; hint?: string | undefined },
  checker: Checker,
): void {
  if (fits(type, kind)) return;
  const wanted = typeWord({ kind } as Type);
  problem(checker, node, {
    code: "P204",
    message: `${who} ${wanted}, but this is ${typeWord(type)}`,
    hint: hint ?? null,
  });
}

function nameType(node: Expression & { kind: "name" }, checker: Checker): Type {
  const { names, elsewhere } = checker.scope;
  const type = names.get(node.name);
  if (type) {
    if (node.name === "needs") readAll(type, checker);
    return type;
  }
  const why = elsewhere.get(node.name);
  if (why !== undefined)
    return problem(checker, node, { code: "P207", message: `${quote(node.name)} ${why}` });
  const hint = functionNames.includes(node.name)
    ? `${node.name} is a function: ${signatureOf(node.name)?.usage ?? ""}`
    : suggestion(node.name, [...names.keys()], "Available names");
  return problem(checker, node, { code: "P202", message: `unknown name ${quote(node.name)}`, hint });
}

function readAll(needs: Type, checker: Checker): void {
  if (needs.kind !== "object") return;
  for (const job of needs.members.keys()) checker.outputsRead.push({ job, output: "*" });
}

/** Notes which output of which job a chain of members reads. */
function noteOutputs(node: Expression & { kind: "member" }, checker: Checker): void {
  const names: (string | null)[] = [];
  let at: Expression = node;
  while (at.kind === "member") {
    names.unshift(at.name);
    at = at.object;
  }
  if (at.kind !== "name" || at.name !== "needs") return;
  const [job, part, output] = names;
  if (job && part === "outputs") checker.outputsRead.push({ job, output: output ?? "*" });
}

function memberType(node: Expression & { kind: "member" }, checker: Checker): Type {
  if (!checker.inner.has(node)) noteOutputs(node, checker);
  checker.inner.add(node.object);
  const isNeeds = node.object.kind === "name" && node.object.name === "needs" && node.name !== null;
  const object = isNeeds
    ? (checker.scope.names.get("needs") ?? typeOf(node.object, checker))
    : typeOf(node.object, checker);
  if (object.kind === "any") {
    if (node.name === null) typeOf(node.key, checker);
    return anyType;
  }
  if (object.kind === "list") {
    want(node.key, { kind: "number", who: "the index of a list must be" }, checker);
    return object.item;
  }
  if (object.kind !== "object" && object.kind !== "map") {
    return problem(checker, node.key, { code: "P204", message: `${typeWord(object)} has no members` });
  }
  if (node.name === null) {
    want(node.key, { kind: "string", who: "the name of a member must be" }, checker);
    return object.kind === "map" ? object.item : anyType;
  }
  return namedMember(object, { node, name: node.name }, checker);
}

function namedMember(
  object: Type & { kind: "object" | "map" },
  { node, name }: { node: Expression & { kind: "member" }; name: string },
  checker: Checker,
): Type {
  if (object.kind === "object") {
    const member = object.members.get(name);
    if (member) return member;
    const why = object.absent.get(name);
    if (why !== undefined) return problem(checker, node.key, { code: "P207", message: why });
    const hint = suggestion(name, [...object.members.keys()], "Available");
    return problem(checker, node.key, {
      code: "P202",
      message: `${object.label} has no ${quote(name)}`,
      hint,
    });
  }
  if (object.known === null || object.known.names.has(name) || checker.inCoalesce) return object.item;
  const near = suggestion(name, [...object.known.names], "Available");
  const hint = near ?? `give a default: coalesce(…, 'value')`;
  return problem(checker, node.key, {
    code: "P202",
    message: `${object.known.label} has no ${quote(name)}`,
    hint,
  });
}

function callType(node: Expression & { kind: "call" }, checker: Checker): Type {
  const name = { start: node.start, end: node.nameEnd };
  const signature = signatureOf(node.name);
  if (node.name === "hashFiles" && !checker.scope.readsFiles) {
    const hint = "hash the files in a step (sha256sum) and pass the result on as an output";
    const message = "hashFiles is only available in the key and restore of a cache";
    return problem(checker, name, { code: "P207", message, hint });
  }
  if (!signature) {
    const hint = suggestion(node.name, functionNames, "Functions");
    return problem(checker, name, { code: "P203", message: `unknown function ${quote(node.name)}`, hint });
  }
  const tooMany = signature.rest === null && node.args.length > signature.args.length;
  if (node.args.length < signature.min || tooMany) {
    const message = `${node.name} cannot take ${node.args.length} arguments`;
    return problem(checker, node, { code: "P203", message, hint: signature.usage });
  }
  const outer = checker.inCoalesce;
  checker.inCoalesce = outer || node.name === "coalesce";
  node.args.forEach((arg, i) => {
    const kind = signature.args[i] ?? signature.rest ?? "any";
    want(arg, { kind, who: `argument ${i + 1} of ${node.name} must be`, hint: signature.usage }, checker);
  });
  checker.inCoalesce = outer;
  if (node.name === "matches") checkPattern(node.args[1], checker);
  return signature.result;
}

function checkPattern(pattern: Expression | undefined, checker: Checker): void {
  if (pattern?.kind !== "literal" || typeof pattern.value !== "string") return;
  try {
    compilePattern(pattern.value);
  } catch (error) {
    problem(checker, pattern, {
      code: "P208",
      message: error instanceof Error ? error.message : "not valid",
    });
  }
}

type Binary = Expression & { kind: "binary" };

/** Conditions, or a choice between values of one type: `condition && value || condition && value || other value`. */
function logicType(node: Binary, checker: Checker): Type {
  const sides = sidesOf(node).map((side) => {
    if (side.kind !== "binary" || side.operator !== "&&")
      return { isGuarded: false, value: side, type: typeOf(side, checker) };
    want(side.left, { kind: "boolean", who: "&& needs", hint: choiceHint }, checker);
    return { isGuarded: true, value: side.right, type: typeOf(side.right, checker) };
  });
  const endsOpen = sides.every(({ isGuarded }, i) => isGuarded === i < sides.length - 1);
  if (!endsOpen || sides.every(({ type }) => type.kind === "boolean")) {
    for (const { isGuarded, value, type } of sides) {
      const [operator, hint] = isGuarded
        ? ["&&", choiceHint]
        : ["||", "for a default value use coalesce(a, b)"];
      wantType({ node: value, type }, { kind: "boolean", who: `${operator} needs`, hint }, checker);
    }
    return sides.every(({ type }) => fits(type, "boolean")) ? booleanType : anyType;
  }
  const known = sides.filter(({ type }) => type.kind !== "any" && type.kind !== "null");
  const odd = known.find(({ type }) => type.kind !== known[0]?.type.kind);
  if (!odd || !known[0]) return known[0]?.type ?? anyType;
  const message = `a choice needs values of one type, but these are ${typeWord(known[0].type)} and ${typeWord(odd.type)}`;
  return problem(checker, odd.value, { code: "P204", message });
}
const choiceHint = "to choose between values write condition && value || other value";

/** What stands between the `||` of a chain. */
function sidesOf(node: Binary): Expression[] {
  if (node.operator !== "||") return [node];
  const { left, right } = node;
  return [...(left.kind === "binary" && left.operator === "||" ? sidesOf(left) : [left]), right];
}

function binaryType(node: Binary, checker: Checker): Type {
  const { operator, left, right } = node;
  if (operator === "&&" || operator === "||") return logicType(node, checker);
  const a = typeOf(left, checker);
  const b = typeOf(right, checker);
  const unknown = a.kind === "any" || b.kind === "any";
  if (operator === "==" || operator === "!=") {
    if (!unknown && a.kind !== b.kind && a.kind !== "null" && b.kind !== "null") {
      const message = `${typeWord(a)} is never equal to ${typeWord(b)}`;
      problem(checker, node, { code: "P204", message, hint: "write text in quotes" });
    }
    return booleanType;
  }
  const ordered = (type: Type): boolean => ["any", "string", "number"].includes(type.kind);
  if (!ordered(a) || !ordered(b) || (!unknown && a.kind !== b.kind)) {
    const message = `${operator} needs two numbers or two texts, but these are ${typeWord(a)} and ${typeWord(b)}`;
    problem(checker, node, { code: "P204", message });
  }
  if (operator !== "+") return booleanType;
  return a.kind === "any" ? b : a;
}
