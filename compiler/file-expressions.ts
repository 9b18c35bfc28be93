/** Checks every `${{ }}` and condition of the file: allowed in its place, readable, names and types known. */
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import { spanInFile } from "./align-scalar.ts";
import { checkExpression, type ExpressionScope } from "./expression/check.ts";
import { parseExpression, type Expression } from "./expression/parse.ts";
import { ExpressionProblem } from "./expression/problem.ts";
import { fits, stringType, typeWord, type Type } from "./expression/types.ts";
import { eventsIn, type ComparedEvent } from "./event-words.ts";
import type { FileModel, ModelJob } from "./file-model.ts";
import {
  conditionScope,
  isListExpression,
  isNumberExpression,
  isScript,
  templateScope,
  type Scope,
} from "./path-kinds.ts";
import { isNeverTrue } from "./never-true.ts";
import type { Report } from "./report.ts";
import { expressionScope, type ExpressionContext, type NeededJob, type UsedTemplate } from "./scopes.ts";
import type { Source, Span } from "./source.ts";
import { writtenSteps, type WrittenStep } from "./step-groups.ts";
import { conditionSource, hasExpression, splitTemplate } from "./template.ts";
import type { Path } from "./path.ts";
import { nodeAt, type MapNode, type ScalarNode, type TreeNode } from "./tree.ts";

export interface ExpressionFacts {
  /** `<job> <output>` pairs that are read somewhere; output `*` is all. */
  outputsRead: Set<string>;
  /** Conditions that are constantly false, without `false` alone, which can only be meant. */
  neverTrue: Path[];
  /** Words that are compared with the event. */
  eventsCompared: ComparedEvent[];
}

interface Walk {
  tree: MapNode;
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
  const facts: ExpressionFacts = { outputsRead: new Set(), neverTrue: [], eventsCompared: [] };
  visit(tree, [], { ...context, tree, facts });
  return facts;
}

function visit(node: TreeNode, path: Path, walk: Walk): void {
  if (node.kind === "seq") node.items.forEach((item, i) => visit(item, [...path, i], walk));
  else if (node.kind === "map") {
    for (const entry of node.entries.values()) visit(entry.value, [...path, entry.key], walk);
  } else if (typeof node.value === "string") checkScalar(node, path, walk);
}

/** Where the author can mend it: in what a template made of `with`, that is where it is given. */
function spanIn(node: ScalarNode, { source }: Walk, range: { start: number; end: number }): Span {
  return node.given ?? spanInFile(node.span.source ?? source, node, range);
}

function checkScalar(node: ScalarNode, path: Path, walk: Walk): void {
  const condition = conditionScope(path);
  if (condition !== null) return checkCondition(node, { path, scopeName: condition }, walk);
  if (!hasExpression(node.text)) return;
  const start = node.text.indexOf("${{");
  const span = spanIn(node, walk, { start, end: start + 3 });
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
  const seen = scopeAt(scope, { path, isGiven: node.given !== undefined }, walk);
  if (isNumberExpression(path)) checkNumber(node, seen, walk);
  else checkTemplate(node, seen, walk);
}

/** Text may hold a number, as that of a variable does; null asks for none. */
function checkNumber(node: ScalarNode, scope: ExpressionScope, walk: Walk): void {
  const { source: text, offset } = conditionSource(node.text);
  const checked = checkSource(node, { text, offset, scope }, walk);
  if (checked === null || ["any", "null", "number", "string"].includes(checked.type.kind)) return;
  const span = spanIn(node, walk, { start: 0, end: node.text.length });
  const hint = "choose a number, as in ${{ inputs.hotfix && 90 || 0 }}";
  walk.report.add("P204", span, { message: `this must be a number, but is ${typeWord(checked.type)}`, hint });
}

/** The values of a matrix, given by one expression. */
function checkList(node: ScalarNode, path: Path, walk: Walk): void {
  const { source, offset } = conditionSource(node.text);
  const checked = checkSource(
    node,
    { text: source, offset, scope: scopeAt("matrix", { path, isGiven: node.given !== undefined }, walk) },
    walk,
  );
  const isWhole = path.at(-1) === "matrix";
  if (checked === null || fits(checked.type, "list") || (isWhole && fits(checked.type, "map"))) return;
  const span = spanIn(node, walk, { start: 0, end: node.text.length });
  const wanted = isWhole ? "a matrix must be a mapping or a list" : "this must be a list";
  const hint = "make one of text with fromJson(…)";
  walk.report.add("P204", span, { message: `${wanted}, but is ${typeWord(checked.type)}`, hint });
}

function lastName(path: Path): string {
  return String(path.findLast((part) => typeof part === "string") ?? "");
}

function checkTemplate(node: ScalarNode, scope: ExpressionScope, walk: Walk): void {
  guarded({ node, offset: 0 }, walk, () => {
    const parts = splitTemplate(node.text);
    for (const part of parts) {
      if (part.kind === "text") continue;
      const checked = checkSource(node, { text: part.source, offset: part.offset, scope }, walk);
      if (checked !== null && node.input)
        checkInput(node, parts.length === 1 ? checked.type : stringType, walk);
      if (checked === null || !["list", "map", "object"].includes(checked.type.kind)) continue;
      const { type, expression } = checked;
      const span = spanIn(node, walk, {
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

/** What an expression gives for an input of a template must have its type. */
function checkInput(node: ScalarNode, type: Type, walk: Walk): void {
  const wanted = node.input?.type === "choice" ? "string" : (node.input?.type ?? "any");
  if (fits(type, wanted)) return;
  const span = spanIn(node, walk, { start: 0, end: node.text.length });
  const hint = type.kind === "string" ? textHint(wanted, node.text) : null;
  walk.report.add("P504", span, {
    message: `the input "${node.input?.name}" must be ${typeWord({ kind: wanted })}, but this is ${typeWord(type)}`,
    hint,
  });
}

/** How text becomes what an input takes. */
function textHint(wanted: string, written: string): string | null {
  if (wanted === "boolean") return "compare it, as in ${{ … == 'true' }}";
  if (wanted !== "number") return null;
  const { source } = conditionSource(written);
  return source.includes("${{")
    ? "make a number of text: ${{ fromJson(…) }}"
    : `make a number of it: \${{ fromJson(${source.trim()}) }}`;
}

function checkCondition(
  node: ScalarNode,
  { path, scopeName }: { path: Path; scopeName: Scope },
  walk: Walk,
): void {
  const { source, offset } = conditionSource(node.text);
  const checked = checkSource(
    node,
    { text: source, offset, scope: scopeAt(scopeName, { path, isGiven: node.given !== undefined }, walk) },
    walk,
  );
  if (checked === null) return;
  if (!fits(checked.type, "boolean")) {
    const span = spanIn(node, walk, { start: 0, end: node.text.length });
    walk.report.add("P204", span, {
      message: `a condition must be true or false, but this is ${typeWord(checked.type)}`,
    });
  } else if (!node.given && isNeverTrue(checked.expression)) walk.facts.neverTrue.push(path);
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
    for (const { name, start, end } of eventsIn(expression)) {
      const span = spanIn(node, walk, { start: start + offset, end: end + offset });
      walk.facts.eventsCompared.push({ name, span });
    }
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
  const span = spanIn(node, walk, { start: problem.start + offset, end: problem.end + offset });
  if (node.given) return addGivenProblem(problem, node, walk);
  const hint = cutByComment(node, node.span.source ?? walk.source)
    ? 'in YAML " #" starts a comment: put the value in quotes'
    : problem.hint;
  walk.report.add(problem.code, span, { message: problem.message, hint });
}

/** The template itself is sound, so it is a value that does not fit its place there. */
function addGivenProblem(problem: ExpressionProblem, node: ScalarNode, walk: Walk): void {
  const { source = walk.source, start } = node.span;
  const place = `${source.file}:${source.position(start).line}`;
  const message = `what \`with\` gives cannot be used at ${place}: ${problem.message}`;
  walk.report.add("P504", node.given ?? node.span, { message, hint: problem.hint });
}

/** Whether a plain value ends only because YAML takes the rest of its line for a comment. */
function cutByComment(node: ScalarNode, source: Source): boolean {
  const open = node.text.lastIndexOf("${{") > node.text.lastIndexOf("}}");
  return open && /^[ \t]+#.*\}\}/.test(source.text.slice(node.span.end, node.span.end + 1000));
}

function scopeAt(
  scope: Scope,
  { path, isGiven }: { path: Path; isGiven: boolean },
  walk: Walk,
): ExpressionScope {
  const key = walk.model.form === "tiny" ? "main" : path[0] === "jobs" ? path[1] : undefined;
  const job = walk.model.jobs.find((one) => one.key === key);
  const needs = new Map((job?.needs ?? []).map((need) => [need.job, neededJob(need.job, walk.model)]));
  const entry = job && scope === "step" ? Number(path[job.path.length + 1]) : Infinity;
  const matrix = job?.matrix ?? null;
  const written = job?.job.environment ?? null;
  const environment = typeof written === "string" ? written : (written?.name ?? null);
  const steps = isGiven ? allStepIds(job) : stepIds(job, entry, walk.tree);
  const known = { scope, inputs: walk.inputs, needs, matrix, environment, ...steps };
  return expressionScope(known, walk.event);
}

/** Which steps a template may read was judged in its own file. */
function allStepIds(job: ModelJob | undefined): StepIds {
  const steps = writtenSteps(job?.job.steps ?? []).flatMap(({ step }) => step.id ?? []);
  return { steps, templates: [], beside: [] };
}

function neededJob(key: string, model: FileModel): NeededJob {
  const job = model.jobs.find((one) => one.key === key);
  return { outputs: job ? job.outputs : [], hasMatrix: job?.matrix !== undefined && job.matrix !== null };
}

type StepIds = Pick<ExpressionContext, "steps" | "templates" | "beside">;

/** Of the steps before an entry of `steps`, and of those that run at the same time if it is a group. */
function stepIds(job: ModelJob | undefined, entry: number, tree: MapNode): StepIds {
  const all = writtenSteps(job?.job.steps ?? []).filter((one) => !one.isOfTemplate);
  const idsOf = (steps: readonly WrittenStep[]) => steps.flatMap(({ step }) => step.id ?? []);
  return {
    steps: idsOf(all.filter((one) => one.entry < entry)),
    templates: job ? usedTemplates(nodeAt(tree, [...job.path, "steps"]), entry) : [],
    beside: idsOf(all.filter((one) => one.entry === entry && one.group !== null)),
  };
}

function usedTemplates(steps: TreeNode | undefined, before: number): UsedTemplate[] {
  const earlier = steps?.kind === "seq" ? steps.items.slice(0, before) : [];
  return earlier.flatMap((step): UsedTemplate[] => {
    const id = step.kind === "map" ? step.entries.get("id")?.value : undefined;
    if (step.kind !== "map" || step.outputs === undefined || id?.kind !== "scalar") return [];
    return [{ id: id.text, outputs: step.outputs && [...step.outputs.keys()] }];
  });
}
