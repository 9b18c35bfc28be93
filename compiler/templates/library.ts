/** The templates of one compilation: each is read and checked once, however often it is used. */
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { PlanInput } from "@forgeline/schemas/pipeline-file/plan.ts";
import { limitHint } from "../held-limits.ts";
import type { Report } from "../report.ts";
import type { Span, UsePlace } from "../source.ts";
import type { MapNode } from "../tree.ts";
import { createBudget, type Budget } from "./copy-body.ts";
import type { TemplateReference } from "./reference.ts";
import { readTemplate } from "./template-file.ts";

/** `branch`: the template comes from the tip of one, which moves. `elsewhere`: only a server can read it. */
export type TemplateFile =
  | { text: string; branch?: string }
  | { problem: string; hint: string | null }
  | { elsewhere: true };
/** By the keys of `TemplateReference`. */
export type TemplateFiles = Readonly<Record<string, TemplateFile>>;

export interface Template {
  kind: "steps" | "job";
  inputs: PlanInput[];
  /** The job, or a job with nothing but the steps and outputs. All that it uses is in its place. */
  body: MapNode;
  /** 1 for one that uses no other. */
  height: number;
}

export interface Library {
  event: PipelineEvent | null;
  budget: Budget;
  /** Of the pipeline file, which also gets what is found in templates. */
  main: Report;
  /** Keys of all that were asked for; `missing`: those that `TemplateFiles` lacks. */
  asked: Set<string>;
  missing: Set<string>;
  /** null: there is none, which has been reported. */
  load(reference: TemplateReference, use: TemplateUse): Template | null;
}

export interface TemplateUse {
  report: Report;
  span: Span;
  /** The places that lead to the template, with this one. */
  places: readonly UsePlace[];
  /** Keys of the templates that lead to it. */
  chain: readonly string[];
}

export function createLibrary(
  files: TemplateFiles,
  { event, main }: { event: PipelineEvent | null; main: Report },
): Library {
  const read = new Map<string, Template | null>();
  const library: Library = {
    event,
    main,
    budget: createBudget(),
    asked: new Set(),
    missing: new Set(),
    load(reference, use) {
      const { key } = reference;
      library.asked.add(key);
      const limit = main.limits.templates;
      if (library.asked.size > limit.value) {
        use.report.add("P309", use.span, {
          message: `more than ${limit.value} ${limit.value === 1 ? "template" : "templates"}`,
          hint: limitHint(limit),
        });
        return null;
      }
      const file = Object.hasOwn(files, key) ? files[key] : undefined;
      if (file === undefined) library.missing.add(key);
      const text = file === undefined ? null : textOf(file, reference, use);
      if (text === null) {
        // Nothing may ever run without what it stands for.
        if (file === undefined)
          use.report.add("P502", use.span, { message: `the template ${key} was not read` });
        return null;
      }
      const known = read.get(key);
      if (known !== undefined) return known;
      const template = readTemplate({ text, reference, use }, library);
      read.set(key, template);
      return template;
    },
  };
  return library;
}

/** null: reported. */
function textOf(
  file: TemplateFile,
  { key, source, isInherited }: TemplateReference,
  { report, span }: TemplateUse,
) {
  if ("problem" in file) {
    report.add("P502", span, { message: file.problem, hint: file.hint });
    return null;
  }
  if ("elsewhere" in file) {
    report.add("W907", span, {
      message: `the template ${key} is on the server and was not checked`,
      hint: "the server checks it: use `forgeline pipeline plan` without --file",
    });
    return null;
  }
  if (file.branch !== undefined && !isInherited)
    report.add("W906", span, {
      message: `the template is not pinned: "${source?.ref ?? ""}" is a branch, so each run may get another one`,
      hint: "name a tag or the full id of a commit after the @",
    });
  return file.text;
}
