/**
 * Puts templates in the place of each `uses`: a step gets a list of steps, a job its keys. Everything else of the compiler sees
 * the result. What cannot be put there is reported, and something harmless stands for it, so that the rest is judged too.
 */
import { limitHint } from "../held-limits.ts";
import type { Report } from "../report.ts";
import type { Source, Span } from "../source.ts";
import { quote } from "../suggest.ts";
import { copyTree, type MapEntry, type MapNode, type ScalarNode, type TreeNode } from "../tree.ts";
import { BudgetSpent, copyBody, copyText, replaceInputs } from "./copy-body.ts";
import { givenValues } from "./given-values.ts";
import type { Library, Template } from "./library.ts";
import { mergeJob } from "./merge-job.ts";
import { readReference, type Origin } from "./reference.ts";
import { freeIds } from "./step-ids.ts";

/** A file that may use templates: the pipeline file, or a template. */
export interface Unit {
  source: Source;
  report: Report;
  origin: Origin;
  /** Keys of the templates that lead to it, and its own. */
  chain: readonly string[];
  library: Library;
  /** Set by what it uses. */
  height: number;
}

/** A copy of the tree. */
export function expandTemplates(tree: TreeNode, unit: Unit): TreeNode {
  const copy = copyTree(tree);
  try {
    expandFile(copy, unit);
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error;
    const message = "the templates expand to more than 4 MiB of text or 50,000 keys and values";
    unit.report.add("P309", { start: 0, end: 0 }, { message });
  }
  return copy;
}

function expandFile(tree: TreeNode, unit: Unit): void {
  if (tree.kind !== "map") return;
  expandSteps(tree, unit);
  const jobs = tree.entries.get("jobs")?.value;
  if (jobs?.kind !== "map") return;
  for (const { value: job } of jobs.entries.values()) {
    if (job.kind !== "map") continue;
    expandJob(job, unit);
    expandSteps(job, unit);
  }
}

function expandJob(job: MapNode, unit: Unit): void {
  const uses = job.entries.get("uses");
  if (!uses) return;
  refuseBeside(job, ["steps", "outputs", "trigger"], unit);
  const template = load(uses, "job", unit);
  if (!template) {
    job.outputs = null;
    job.entries.set("steps", entryOf("steps", uses, [harmlessStep(uses)]));
    if (!job.entries.has("image")) job.entries.set("image", { ...uses, key: "image" });
    return;
  }
  const inputs = givenValues({ ...namesOf(uses), owner: job, inputs: template.inputs }, unit.report);
  const copy = {
    replace: replaceInputs(inputs, new Map()),
    ids: new Map<string, string>(),
    given: uses.value.span,
    budget: unit.library.budget,
  };
  mergeJob(job, copyBody(template.body, ["jobs", "template"], copy) as MapNode);
}

function expandSteps(owner: MapNode, unit: Unit): void {
  const steps = owner.entries.get("steps")?.value;
  if (steps?.kind !== "seq" || owner.entries.has("uses")) return;
  const nextIds = freeIds(steps);
  for (const step of steps.items) {
    const uses = step.kind === "map" ? step.entries.get("uses") : undefined;
    if (step.kind !== "map") continue;
    if (uses) expandStep(step, uses, { unit, nextIds });
    else refuseInGroup(step, unit);
  }
}

function expandStep(
  step: MapNode,
  uses: MapEntry,
  { unit, nextIds }: { unit: Unit; nextIds: ReturnType<typeof freeIds> },
): void {
  refuseBeside(step, ["run", "parallel", "steps"], unit);
  const template = load(uses, "steps", unit);
  if (!template) {
    step.outputs = null;
    step.entries.set("steps", entryOf("steps", uses, [harmlessStep(uses)]));
    return;
  }
  const inputs = givenValues({ ...namesOf(uses), owner: step, inputs: template.inputs }, unit.report);
  const ids = nextIds(template.body);
  const copy = {
    replace: replaceInputs(inputs, ids),
    ids,
    given: uses.value.span,
    budget: unit.library.budget,
  };
  const body = copyBody(template.body, ["jobs", "template"], copy) as MapNode;
  const list = body.entries.get("steps")?.value;
  step.entries.set("steps", entryOf("steps", uses, list?.kind === "seq" ? list.items : []));
  step.outputs = outputsOf(template.body, (text) => copyText(text, copy, false));
}

function outputsOf({ entries }: MapNode, copied: (text: string) => string): Map<string, string> {
  const outputs = entries.get("outputs")?.value;
  if (outputs?.kind !== "map") return new Map();
  return new Map(
    [...outputs.entries.values()].map(({ key, value }) => [
      key,
      copied(value.kind === "scalar" ? value.text : ""),
    ]),
  );
}

/** null: reported, if only by the schema. */
function load(uses: MapEntry, kind: Template["kind"], unit: Unit): Template | null {
  const { value: node } = uses;
  if (node.kind !== "scalar" || typeof node.value !== "string") return null;
  const { report, library, chain, source } = unit;
  const { span } = node;
  const read = readReference(node.text, unit.origin);
  if ("problem" in read) {
    report.add("P501", span, { message: `${quote(node.text)}: ${read.problem}`, hint: read.hint });
    return null;
  }
  const { reference } = read;
  if (chain.includes(reference.key)) {
    const circle = [...chain.slice(chain.indexOf(reference.key)), reference.key];
    report.add("P503", span, { message: `templates use each other in a circle: ${circle.join(" → ")}` });
    return null;
  }
  const { line, column } = source.position(span.start);
  const places = [...source.chain, { file: source.file, line, column }];
  const limit = report.limits.template_depth;
  const isDeep = chain.length >= limit.value;
  const template = isDeep ? null : library.load(reference, { report, span, places, chain });
  if (isDeep || (template && chain.length + template.height > limit.value)) {
    report.add("P309", span, {
      message: `templates use templates more than ${limit.value} deep`,
      hint: limitHint(limit),
    });
    return null;
  }
  if (!template) return null;
  unit.height = Math.max(unit.height, template.height + 1);
  if (template.kind === kind) return template;
  report.add("P505", span, {
    message:
      kind === "job"
        ? `${node.text} is a template of steps, and cannot stand for a whole job`
        : `${node.text} is a template of a job, and cannot stand for steps`,
    hint:
      kind === "job" ? "put `uses` into a step of the job" : "put `uses` beside `stage` and `needs` of a job",
  });
  return null;
}

function namesOf(uses: MapEntry): { uses: string; usesSpan: Span } {
  const { value } = uses;
  return { uses: value.kind === "scalar" ? value.text : "", usesSpan: value.span };
}

/** A list of steps under a key that has the place of `uses`. */
function entryOf(key: string, uses: MapEntry, items: TreeNode[]): MapEntry {
  return { key, keySpan: uses.keySpan, value: { kind: "seq", span: uses.value.span, items } };
}

function harmlessStep({ value }: MapEntry): ScalarNode {
  const text = value.kind === "scalar" ? stepOfUnread(value.text) : "true";
  return { kind: "scalar", span: value.span, value: text, text };
}

/** The script that a plan has in place of a template that only a server can read. */
export function stepOfUnread(key: string): string {
  return `true # ${key.replaceAll("${{", "")}`;
}

function refuseBeside(owner: MapNode, keys: readonly string[], { report }: Unit): void {
  for (const key of keys) {
    const entry = owner.entries.get(key);
    if (!entry) continue;
    report.add("P113", entry.keySpan, {
      message: `"uses" and ${quote(key)} are mutually exclusive`,
      hint:
        key === "outputs"
          ? "the outputs of the template are those of the job"
          : "the template says what is done",
    });
    owner.entries.delete(key);
  }
}

/** Steps of a template run one after the other, which a group cannot. */
function refuseInGroup(step: MapNode, { report }: Unit): void {
  const group = step.entries.get("parallel")?.value;
  if (group?.kind !== "seq") return;
  group.items.forEach((inner, i, items) => {
    const uses = inner.kind === "map" ? inner.entries.get("uses") : undefined;
    if (!uses) return;
    report.add("P505", uses.keySpan, {
      message: '"uses" is not allowed inside "parallel"',
      hint: "steps of a template run one after the other; a template can have a `parallel` itself",
    });
    items[i] = harmlessStep(uses);
  });
}
