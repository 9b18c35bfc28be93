/** Checks every `${{ }}` and condition of the file: allowed in its place, readable, names and types known. */
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import { spanInFile } from "./align-scalar.ts";
import { checkExpression, type ExpressionScope } from "./expression/check.ts";
import { parseExpression, type Expression } from "./expression/parse.ts";
import { ExpressionProblem } from "./expression/problem.ts";
import { fits, typeWord, type Type } from "./expression/types.ts";
import type { FileModel, ModelJob } from "./file-model.ts";
import { conditionScope, isListExpression, isScript, templateScope, type Scope } from "./path-kinds.ts";
import type { Report } from "./report.ts";
import { expressionScope, type NeededJob } from "./scopes.ts";
import type { Source } from "./source.ts";
import { writtenSteps, type WrittenStep } from "./step-groups.ts";
import { conditionSource, hasExpression, splitTemplate } from "./template.ts";
import type { Path } from "./path.ts";
import type { MapNode, ScalarNode, TreeNode } from "./tree.ts";

export interface ExpressionFacts {
  /** `<job> <output>` pairs that are read somewhere; output `*` is all. */
  outputsRead: Set<string>;
  /** Conditions that are constantly false. */
  neverTrue: Path[];
}

interface Walk {
  source: Source;
  model: FileModel;
  inputs: Type;
  event: PipelineEvent | null;
  report: Report;
  facts: ExpressionFacts;
}

export function checkFileExpressions(
  tree: MapNode,
  context: { source: Source; model: FileModel; inputs: Type; event: PipelineEvent | null; report: Report },
): ExpressionFacts {
  const facts: ExpressionFacts = { outputsRead: new Set(), neverTrue: [] };
  visit(tree, [], { ...context, facts });
  return facts;
}

function visit(node: TreeNode, path: Path, walk: Walk): void {
  if (node.kind === "seq") node.items.forEach((item, i) => visit(item, [...path, i], walk));
  else if (node.kind === "map") {
    for (const entry of node.entries.values()) visit(entry.value, [...path, entry.key], walk);
  } else if (typeof node.value === "string") checkScalar(node, path, walk);
}

function checkScalar(node: ScalarNode, path: Path, walk: Walk): void {
  const condition = conditionScope(path);
  if (condition !== null) return checkCondition(node, { path, scopeName: condition }, walk);
  if (!hasExpression(node.text)) return;
  const start = node.text.indexOf("${{");
  const span = spanInFile(walk.source, node, { start, end: start + 3 });
  if (isScript(path)) {
    const hint =
      "put the value into `env` of the step and use the variable: expressions never become shell code";
    walk.report.add("P205", span, { message: "expressions are not allowed inside `run`", hint });
    return;
  }
  if (isListExpression(path)) return checkList(node, path, walk);
  const scope = templateScope(path);
  if (scope === null) {
    walk.report.add("P206", span, { message: `expressions are not allowed in "${lastName(path)}"` });
    return;
  }
  checkTemplate(node, scopeAt(scope, path, walk), walk);
}

/** The values of a matrix, given by one expression. */
function checkList(node: ScalarNode, path: Path, walk: Walk): void {
  const { source, offset } = conditionSource(node.text);
  const checked = checkSource(node, { text: source, offset, scope: scopeAt("matrix", path, walk) }, walk);
  const isWhole = path.at(-1) === "matrix";
  if (checked === null || fits(checked.type, "list") || (isWhole && fits(checked.type, "map"))) return;
  const span = spanInFile(walk.source, node, { start: 0, end: node.text.length });
  const wanted = isWhole ? "a matrix must be a mapping or a list" : "this must be a list";
  const hint = "make one of text with fromJson(…)";
  walk.report.add("P204", span, { message: `${wanted}, but is ${typeWord(checked.type)}`, hint });
}

function lastName(path: Path): string {
  return String(path.findLast((part) => typeof part === "string") ?? "");
}

function checkTemplate(node: ScalarNode, scope: ExpressionScope, walk: Walk): void {
  guarded({ node, offset: 0 }, walk, () => {
    for (const part of splitTemplate(node.text)) {
      if (part.kind === "text") continue;
      const checked = checkSource(node, { text: part.source, offset: part.offset, scope }, walk);
      if (checked === null || !["list", "map", "object"].includes(checked.type.kind)) continue;
      const { type, expression } = checked;
      const span = spanInFile(walk.source, node, {
        start: part.offset + expression.start,
        end: part.offset + expression.end,
      });
      walk.report.add("P204", span, {
        message: `${typeWord(type)} cannot be converted to text`,
        hint: "use toJson(…) or join(…)",
      });
    }
  });
}

function checkCondition(
  node: ScalarNode,
  { path, scopeName }: { path: Path; scopeName: Scope },
  walk: Walk,
): void {
  const { source, offset } = conditionSource(node.text);
  const checked = checkSource(node, { text: source, offset, scope: scopeAt(scopeName, path, walk) }, walk);
  if (checked === null) return;
  if (!fits(checked.type, "boolean")) {
    const span = spanInFile(walk.source, node, { start: 0, end: node.text.length });
    walk.report.add("P204", span, {
      message: `a condition must be true or false, but this is ${typeWord(checked.type)}`,
    });
  } else if (isFalse(checked.expression)) walk.facts.neverTrue.push(path);
}

function isFalse(expression: Expression): boolean {
  if (expression.kind === "literal") return expression.value === false;
  if (expression.kind !== "binary") return false;
  const { operator, left, right } = expression;
  if (operator === "&&") return isFalse(left) || isFalse(right) || contradicts(left, right);
  if (operator === "||") return isFalse(left) && isFalse(right);
  return false;
}

/** `branch == 'a' && branch == 'b'` */
function contradicts(left: Expression, right: Expression): boolean {
  const a = equalsText(left);
  const b = equalsText(right);
  return a !== null && b !== null && a.name === b.name && a.value !== b.value;
}

function equalsText(node: Expression): { name: string; value: unknown } | null {
  if (node.kind !== "binary" || node.operator !== "==") return null;
  const { left, right } = node;
  return left.kind === "name" && right.kind === "literal" ? { name: left.name, value: right.value } : null;
}

/** null when it cannot be read; then it is reported. */
function checkSource(
  node: ScalarNode,
  { text, offset, scope }: { text: string; offset: number; scope: ExpressionScope },
  walk: Walk,
): { type: ReturnType<typeof checkExpression>["type"]; expression: Expression } | null {
  return guarded({ node, offset }, walk, () => {
    const expression = parseExpression(text);
    const { type, problems, outputsRead } = checkExpression(expression, scope);
    for (const problem of problems) addProblem(problem, { node, offset }, walk);
    for (const { job, output } of outputsRead) walk.facts.outputsRead.add(`${job} ${output}`);
    return { type, expression };
  });
}

function guarded<T>(
  { node, offset }: { node: ScalarNode; offset: number },
  walk: Walk,
  work: () => T,
): T | null {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ExpressionProblem)) throw error;
    addProblem(error, { node, offset }, walk);
    return null;
  }
}

function addProblem(
  problem: ExpressionProblem,
  { node, offset }: { node: ScalarNode; offset: number },
  walk: Walk,
): void {
  const span = spanInFile(walk.source, node, { start: problem.start + offset, end: problem.end + offset });
  const hint = cutByComment(node, walk.source)
    ? 'in YAML " #" starts a comment: put the value in quotes'
    : problem.hint;
  walk.report.add(problem.code, span, { message: problem.message, hint });
}

/** Whether a plain value ends only because YAML takes the rest of its line for a comment. */
function cutByComment(node: ScalarNode, source: Source): boolean {
  const open = node.text.lastIndexOf("${{") > node.text.lastIndexOf("}}");
  return open && /^[ \t]+#.*\}\}/.test(source.text.slice(node.span.end, node.span.end + 1000));
}

function scopeAt(scope: Scope, path: Path, walk: Walk): ExpressionScope {
  const key = walk.model.form === "tiny" ? "main" : path[0] === "jobs" ? path[1] : undefined;
  const job = walk.model.jobs.find((one) => one.key === key);
  const needs = new Map((job?.needs ?? []).map((need) => [need.job, neededJob(need.job, walk.model)]));
  const entry = job && scope === "step" ? Number(path[job.path.length + 1]) : Infinity;
  const matrix = job?.matrix ?? null;
  const written = job?.job.environment ?? null;
  const environment = typeof written === "string" ? written : (written?.name ?? null);
  const known = { scope, inputs: walk.inputs, needs, matrix, environment, ...stepIds(job, entry) };
  return expressionScope(known, walk.event);
}

function neededJob(key: string, model: FileModel): NeededJob {
  const job = model.jobs.find((one) => one.key === key);
  return { outputs: job?.outputs ?? [], hasMatrix: job?.matrix !== undefined && job.matrix !== null };
}

/** Of the steps before an entry of `steps`, and of those that run at the same time if it is a group. */
function stepIds(job: ModelJob | undefined, entry: number): { steps: string[]; beside: string[] } {
  const all = writtenSteps(job?.job.steps ?? []);
  const idsOf = (steps: WrittenStep[]) => steps.flatMap(({ step }) => step.id ?? []);
  return {
    steps: idsOf(all.filter((one) => one.entry < entry)),
    beside: idsOf(all.filter((one) => one.entry === entry && one.isInGroup)),
  };
}
