/**
 * The pipeline file: text to plan, or to everything that is wrong with it. Pure and synchronous; the limits in
 * `limits.ts` keep it short for whatever text is sent.
 */
import type { Diagnostic } from "@forgeline/schemas/pipeline-file/diagnostic.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { Plan } from "@forgeline/schemas/pipeline-file/plan.ts";
import { buildPlan } from "./build-plan.ts";
import { buildTree } from "./build-tree.ts";
import { buildTriggers } from "./build-triggers.ts";
import { checkFile, type CheckedFile } from "./check-file.ts";
import { checkFileBytes } from "./check-limits.ts";
import type { PrivilegedJobs } from "./check-privileged.ts";
import type { JobPermissionLevel } from "@forgeline/schemas/pipeline-file/file-permissions.ts";
import { warnUnknownVariables } from "./check-variables.ts";
import { buildModel } from "./file-model.ts";
import { defaultLimits, type HeldLimits } from "./held-limits.ts";
import { parseYaml } from "./parse-yaml.ts";
import { readTriggers } from "./read-triggers.ts";
import { createReport } from "./report.ts";
import { createSource } from "./source.ts";
import type { ValidFile } from "./structure.ts";
import { expandTemplates, type Unit } from "./templates/expand.ts";
import { inlineOutputs } from "./templates/inline-outputs.ts";
import { createLibrary, type TemplateFiles } from "./templates/library.ts";
import { toValue } from "./tree.ts";
import type { CompiledTriggers } from "./triggers.ts";
import { addWarnings } from "./warnings.ts";

export interface CompileInput {
  /** Path in the repository, for messages and the plan. */
  file: string;
  text: string;
  /** With an event, `vars.x` must exist in it. */
  event?: PipelineEvent;
  /** Whether its jobs may be privileged. Absent: not judged. */
  privileged?: PrivilegedJobs;
  /** What the tokens of its jobs may do at most. Absent: not judged. */
  permissionsMax?: JobPermissionLevel;
  /** What has been read of the templates that it uses. */
  templates?: TemplateFiles;
  /** What administrators have set. Absent: the defaults. */
  limits?: HeldLimits;
}

export interface Compiled {
  /** null when there are errors. */
  plan: Plan | null;
  /** In the order of the file, then of its templates; warnings too. At most 50. */
  diagnostics: Diagnostic[];
  /** null where it cannot be read, as it often can beside other errors; judge an event with `matchTriggers`. */
  on: CompiledTriggers | null;
  /** Keys of the templates that it uses, and they. */
  templates: string[];
  /** Those of them that were not among `templates` of the input: read them and compile again. With any, there is no plan. */
  missing: string[];
}

/** Never throws for bad text. */
export function compile(input: CompileInput): Compiled {
  const { file, text, event, privileged, permissionsMax, templates = {}, limits = defaultLimits } = input;
  const source = createSource(file, text);
  const report = createReport(source, limits);
  const library = createLibrary(templates, { event: event ?? null, main: report });
  const compiled = (checked: CheckedFile | null, on: CompiledTriggers | null): Compiled => {
    const asked = { templates: [...library.asked], missing: [...library.missing] };
    if (!checked || report.hasErrors()) return { plan: null, diagnostics: report.list(), on, ...asked };
    addWarnings({ sound: checked.sound, model: checked.model, facts: checked.facts }, report);
    warnUnknownVariables(checked.sound.tree, report, source);
    const { sound, model } = library.asked.size > 0 ? withOutputs(checked, limits) : checked;
    return {
      plan: buildPlan(sound, model, { file, limits }),
      diagnostics: report.list(),
      on: buildTriggers(sound.file.on),
      ...asked,
    };
  };

  const document = checkFileBytes(source, report) ? parseYaml(source, report) : null;
  const tree = document && buildTree(document, report);
  if (!tree) return compiled(null, null);
  const unit: Unit = { source, report, origin: null, chain: [], library, height: 0 };
  return compiled(
    checkFile(expandTemplates(tree, unit), {
      source,
      report,
      event: event ?? null,
      privileged,
      permissionsMax,
    }),
    readTriggers(tree),
  );
}

/** With the outputs of templates where they are read. */
function withOutputs({ sound }: CheckedFile, limits: HeldLimits): Pick<CheckedFile, "sound" | "model"> {
  const tree = inlineOutputs(sound.tree);
  const changed = { ...sound, tree, file: toValue(tree) } as ValidFile;
  return { sound: changed, model: buildModel(changed, tree, limits) };
}
