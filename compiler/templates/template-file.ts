/**
 * The file of a template: `inputs`, and `steps` (with `outputs`) or a `job`. It is checked by itself, as a pipeline file with
 * one job that has these, so a mistake in it is told once and at its place, however often it is used.
 */
import { keysOfUser, templateKeys } from "@forgeline/schemas/pipeline-file/file-template.ts";
import { buildTree } from "../build-tree.ts";
import { checkFile } from "../check-file.ts";
import { checkFileBytes } from "../check-limits.ts";
import { planInputs } from "../inputs.ts";
import { parseYaml } from "../parse-yaml.ts";
import { inputsPath } from "../path-kinds.ts";
import { createReport, type Report } from "../report.ts";
import { createSource, type Source } from "../source.ts";
import { quote, suggestion } from "../suggest.ts";
import { nodeAt, type MapEntry, type MapNode, type TreeNode } from "../tree.ts";
import { checkNames } from "./check-names.ts";
import { expandTemplates, type Unit } from "./expand.ts";
import { inlineOutputs } from "./inline-outputs.ts";
import type { Library, Template, TemplateUse } from "./library.ts";
import type { TemplateReference } from "./reference.ts";

/** null when it has errors. What is found in it goes to the report of the pipeline file. */
export function readTemplate(
  { text, reference, use }: { text: string; reference: TemplateReference; use: TemplateUse },
  library: Library,
): Template | null {
  const file = reference.source === null ? reference.path : reference.key;
  const source = createSource(file, text, use.places);
  const report = createReport(source, library.main.limits);
  const chain = [...use.chain, reference.key];
  const unit: Unit = { source, report, origin: reference.source, chain, library, height: 1 };
  const template = readUnit(unit);
  library.main.include(report.list());
  return report.hasErrors() ? null : template;
}

function readUnit(unit: Unit): Template | null {
  const { source, report, library } = unit;
  const document = checkFileBytes(source, report) ? parseYaml(source, report) : null;
  const tree = document && buildTree(document, report);
  const parts = tree && readParts(tree, report);
  if (!parts) return null;
  const expanded = expandTemplates(located(asPipeline(parts), source), unit);
  const hasImage = nodeAt(expanded, [...bodyPath, "image"]) !== undefined;
  if (!hasImage) addImage(expanded, parts);
  const checked = checkFile(expanded, { source, report, event: library.event });
  if (!checked) return null;
  checkNames(checked.sound.tree, report);
  if (report.hasErrors()) return null;
  const sound = inlineOutputs(checked.sound.tree);
  const body = nodeAt(sound, bodyPath) as MapNode;
  if (!hasImage) body.entries.delete("image");
  return { kind: parts.kind, inputs: planInputs(sound), body, height: unit.height };
}

const bodyPath = ["jobs", "template"];

interface Parts {
  kind: Template["kind"];
  inputs: MapEntry | undefined;
  job: MapNode;
  /** Where to point for all of it. */
  key: MapEntry;
}

function readParts(tree: TreeNode, report: Report): Parts | null {
  const start = { start: tree.span.start, end: tree.span.start + 1 };
  if (tree.kind !== "map" || tree.entries.size === 0) {
    report.add("P003", start, { message: "a template must be a mapping of keys", hint: form });
    return null;
  }
  checkKeys(tree, report);
  const { entries } = tree;
  const [steps, outputs, job, inputs] = ["steps", "outputs", "job", "inputs"].map((key) => entries.get(key));
  if (job && (steps ?? outputs)) {
    const other = steps ?? outputs;
    const message = `"job" and "${other?.key}" are mutually exclusive`;
    report.add("P113", job.keySpan, { message, hint: `move ${other?.key} into the job` });
    return null;
  }
  if (job) return partsOfJob(job, inputs, report);
  if (steps) {
    const own = [steps, ...(outputs ? [outputs] : [])].map((entry): [string, MapEntry] => [entry.key, entry]);
    return {
      kind: "steps",
      inputs,
      job: { kind: "map", span: tree.span, entries: new Map(own) },
      key: steps,
    };
  }
  report.add("P108", start, { message: 'a template is missing the key "steps" or "job"', hint: form });
  return null;
}

const form = "begin with `inputs:`, then `steps:` for steps, or `job:` for a whole job";

function partsOfJob(job: MapEntry, inputs: MapEntry | undefined, report: Report): Parts | null {
  if (job.value.kind !== "map") {
    report.add("P103", job.keySpan, { message: '"job" must be a mapping' });
    return null;
  }
  for (const key of [...keysOfUser, "trigger"]) {
    const entry = job.value.entries.get(key);
    if (!entry) continue;
    report.add("P506", entry.keySpan, {
      message: `the job of a template cannot have ${quote(key)}`,
      hint:
        key === "trigger"
          ? "a job that starts a pipeline stands in the pipeline file itself"
          : "the file that uses the template decides that: write it there, beside `uses`",
    });
    job.value.entries.delete(key);
  }
  return { kind: "job", inputs, job: job.value, key: job };
}

function checkKeys({ entries }: MapNode, report: Report): void {
  for (const { key, keySpan, value } of entries.values()) {
    if (key.startsWith("x-")) continue;
    if (!(templateKeys as readonly string[]).includes(key)) {
      const hint = suggestion(key, templateKeys, "Keys here");
      report.add("P101", keySpan, { message: `unknown key ${quote(key)} in a template`, hint });
    }
    if (key === "version" && !(value.kind === "scalar" && value.value === 1))
      report.add("P103", keySpan, { message: '"version" must be 1' });
    if (
      (key === "name" || key === "description") &&
      !(value.kind === "scalar" && typeof value.value === "string")
    )
      report.add("P103", keySpan, { message: `${quote(key)} must be text` });
  }
}

/** As the checks know it: the inputs are those of a run, and there is one job. */
function asPipeline({ inputs, job, key }: Parts): MapNode {
  const { keySpan } = key;
  const map = (entries: MapEntry[]): MapNode => ({
    kind: "map",
    span: job.span,
    entries: new Map(entries.map((entry) => [entry.key, entry])),
  });
  const under = (name: string, value: TreeNode): MapEntry => ({ key: name, keySpan, value });
  const jobs = under("jobs", map([under("template", job)]));
  if (!inputs) return map([jobs]);
  const manual = under("manual", map([{ ...inputs, key: inputsPath.at(-1) as string }]));
  return map([under("on", map([manual])), jobs]);
}

/** Steps have the image of the job that uses them, and so may a job. */
function addImage(tree: TreeNode, { key: { keySpan } }: Parts): void {
  const job = nodeAt(tree, bodyPath);
  if (job?.kind !== "map") return;
  const value: TreeNode = { kind: "scalar", span: keySpan, value: "template", text: "template" };
  job.entries.set("image", { key: "image", keySpan, value });
}

/** In the files that use it, each part still knows where it is from. */
function located<T extends TreeNode>(node: T, source: Source): T {
  const span = { ...node.span, source };
  if (node.kind === "scalar") return { ...node, span };
  if (node.kind === "seq") return { ...node, span, items: node.items.map((item) => located(item, source)) };
  const entries = new Map<string, MapEntry>();
  for (const [key, entry] of node.entries)
    entries.set(key, {
      ...entry,
      keySpan: { ...entry.keySpan, source },
      value: located(entry.value, source),
    });
  return { ...node, span, entries };
}
