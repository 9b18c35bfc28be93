/** `on` of a workflow: which events start it, with their filters and inputs. */
import type { Span } from "../../source.ts";
import type { TreeNode } from "../../tree.ts";
import { child, entries, isTrue, items, textOfNode, texts } from "../nodes.ts";
import { present, textOf, type Plain, type PlainMap } from "../plain.ts";
import { openSection, type Section, type Trace } from "../trace.ts";
import type { Kind } from "../typed.ts";

export interface Triggers {
  on: PlainMap;
  inputs: Map<string, Kind>;
}

export function convertTriggers(node: TreeNode | undefined, trace: Trace): Triggers {
  const triggers: Triggers = { on: {}, inputs: new Map() };
  const events =
    node?.kind === "map"
      ? entries(node).map(({ key, value, keySpan }) => ({ name: key, value, span: keySpan }))
      : items(node).map((item) => ({ name: textOfNode(item) ?? "", value: undefined, span: item.span }));
  for (const { name, value, span } of events) {
    const convert = Object.hasOwn(converters, name) ? converters[name] : undefined;
    const construct = convert ? `on.${name}` : "on.(other event)";
    trace.count(construct);
    const section = openSection(value ?? { kind: "scalar", span, value: null, text: "" }, construct, {
      trace,
      at: ["on"],
    });
    if (convert) convert({ section, value, triggers, span });
    else
      trace.note(span, ["on"], {
        construct,
        message: `the event ${name} does not start runs`,
        suggestion: "start runs from outside with the API (on: api), or with a webhook",
      });
  }
  if (Object.keys(triggers.on).length === 0) {
    triggers.on.manual = null;
    triggers.on.api = null;
  }
  return triggers;
}

type Convert = (event: Event) => void;
interface Event {
  section: Section;
  value: TreeNode | undefined;
  triggers: Triggers;
  span: Span;
}

const converters: Readonly<Record<string, Convert>> = {
  push: ({ section, triggers }) => convertPush(section, triggers),
  pull_request: convertMergeRequest,
  pull_request_target: convertMergeRequest,
  schedule: ({ value, section, triggers }) => convertSchedule(value, section, triggers),
  workflow_dispatch: ({ section, triggers }) => convertManual(section, triggers),
  workflow_call: ({ section, triggers }) => convertCall(section, triggers),
  release: ({ section, triggers }) => {
    triggers.on.tag ??= null;
    section.take("types");
    section.note("types", { message: "there are no releases; the tag of a release starts the run instead" });
  },
  repository_dispatch: ({ section, triggers }) => {
    triggers.on.api = null;
    section.take("types");
    section.note("types", {
      message: "started with POST …/pipelines, which knows no types",
      suggestion: "declare an input under on.manual.inputs",
    });
  },
};

function convertPush(section: Section, { on }: Triggers): void {
  const branches = globs(section, "branches");
  const ignored = globs(section, "branches-ignore");
  const tags = globs(section, "tags");
  const ignoredTags = globs(section, "tags-ignore").map((glob) => `!${glob}`);
  const paths = { paths: texts(section.take("paths")), paths_ignore: texts(section.take("paths-ignore")) };
  const ofBranches = branches.length + ignored.length > 0;
  const ofTags = tags.length + ignoredTags.length > 0;
  const push = present({ branches, branches_ignore: ignored, ...paths });
  if (ofBranches || !ofTags) on.push = Object.keys(push).length > 0 ? push : null;
  const tag = present({ tags: [...tags, ...ignoredTags] });
  if (ofTags || !ofBranches) on.tag = ofTags ? tag : null;
  section.finish({});
}

/** Patterns that mean the same in both; the others are noted. */
function globs(section: Section, key: string): string[] {
  const patterns = texts(section.take(key));
  for (const pattern of patterns)
    if (/[[\]+?]/.test(pattern))
      section.note(key, {
        message: `[…], + and ? in "${pattern}" mean something else in globs here`,
        suggestion: "write it with * and **",
      });
  return patterns;
}

/** What GitHub calls it, and what it is here. */
const mergeRequestTypes: Readonly<Record<string, readonly string[]>> = {
  opened: ["opened"],
  synchronize: ["updated"],
  reopened: ["reopened"],
  labeled: ["labeled"],
  ready_for_review: ["ready"],
  closed: ["closed", "merged"],
};

function convertTypes(section: Section): string[] {
  const types: string[] = [];
  for (const name of texts(section.take("types"))) {
    const known = Object.hasOwn(mergeRequestTypes, name) ? mergeRequestTypes[name] : undefined;
    if (known) types.push(...known);
    else
      section.note("types", {
        message: `the type ${name} starts no run`,
        suggestion: `what can start one: ${Object.values(mergeRequestTypes).flat().join(", ")}`,
      });
  }
  return [...new Set(types)];
}

function convertMergeRequest({ section, triggers: { on } }: Event): void {
  const value = present({
    targets: globs(section, "branches"),
    types: convertTypes(section),
    paths: texts(section.take("paths")),
    paths_ignore: texts(section.take("paths-ignore")),
  });
  on.merge_request = Object.keys(value).length > 0 ? value : null;
  section.finish({});
}

function convertSchedule(value: TreeNode | undefined, outer: Section, { on }: Triggers): void {
  const seen = new Set<string>();
  const schedules: Plain[] = [];
  for (const item of items(value)) {
    const section = openSection(item, "on.schedule.*", { trace: outer.trace, at: ["on", "schedule"] });
    const cron = textOfNode(section.take("cron"));
    const timezone = textOfNode(section.take("timezone"));
    if (cron === null || seen.has(cron)) continue;
    seen.add(cron);
    schedules.push(present({ cron, timezone }));
    section.finish({});
  }
  if (schedules.length > 0) on.schedule = schedules.slice(0, 20);
}

function convertManual(section: Section, triggers: Triggers): void {
  addInputs(section, triggers);
  triggers.on.api = null;
  section.finish({});
}

function convertCall(section: Section, triggers: Triggers): void {
  triggers.on.pipeline = null;
  if (section.node.entries.has("inputs")) addInputs(section, triggers);
  if (/\bgithub\.event(_name\b|\.)/.test(section.trace.source.text))
    section.note("", {
      message: "a run that another pipeline starts has the event pipeline, and not that of its caller",
      suggestion: "look at the conditions on events, or hand over what they ask for as an input",
    });
  const outputs = section.take("outputs");
  if (entries(outputs).some(({ key, value }) => !hasOwnName(key, value)))
    section.note("outputs", {
      message: "outputs of a run are those of its jobs, by the names that the jobs give them",
      suggestion: "give them in the job the names under which callers read them",
    });
  section.finish({
    secrets: ["jobs name the secrets that they need", "set them in the settings of the repository"],
  });
}

/** Whether an output of the workflow is one of a job, under the same name. */
function hasOwnName(name: string, output: TreeNode): boolean {
  const value = textOfNode(child(output, "value")) ?? "";
  return /^\$\{\{\s*jobs\.[\w-]+\.outputs\.([\w-]+)\s*\}\}$/.exec(value.trim())?.[1] === name;
}

const kinds: Readonly<Record<string, Kind>> = {
  string: "string",
  number: "number",
  boolean: "boolean",
  choice: "string",
  environment: "string",
};

function addInputs(section: Section, triggers: Triggers): void {
  const manual = (triggers.on.manual ?? {}) as PlainMap;
  const inputs = (manual.inputs ?? {}) as PlainMap;
  for (const { key, value, keySpan } of entries(section.take("inputs")).slice(0, 25)) {
    if (!/^[A-Za-z_][A-Za-z0-9_-]{0,62}$/.test(key)) {
      section.trace.note(keySpan, ["on"], {
        construct: `${section.label}.inputs`,
        message: `"${key}" cannot be the name of an input`,
      });
      continue;
    }
    if (Object.hasOwn(inputs, key)) continue;
    inputs[key] = inputOf(value);
    triggers.inputs.set(key, kinds[textOf((inputs[key] as PlainMap).type)] ?? "string");
  }
  triggers.on.manual = Object.keys(inputs).length > 0 ? { inputs } : (triggers.on.manual ?? null);
}

function inputOf(node: TreeNode): PlainMap {
  const named = textOfNode(child(node, "type")) ?? "string";
  const options = texts(child(node, "options"));
  const type =
    named === "choice" && options.length > 0
      ? "choice"
      : named === "boolean" || named === "number"
        ? named
        : "string";
  const written = textOfNode(child(node, "default"));
  const fallback = written === null ? null : defaultOf(type, written, options);
  return present({
    type,
    options: type === "choice" ? options : null,
    default: fallback,
    required: isTrue(child(node, "required")) && fallback === null ? true : null,
    description: textOfNode(child(node, "description"))?.slice(0, 1000) || null,
  });
}

function defaultOf(type: string, text: string, options: readonly string[]): Plain {
  if (type === "boolean") return text === "true";
  if (type === "number") return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : null;
  return type === "choice" && !options.includes(text) ? null : text;
}
