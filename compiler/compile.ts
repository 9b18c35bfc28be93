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
import { checkValues } from "./check-values.ts";
import { checkArtifacts } from "./check-artifacts.ts";
import { checkReports } from "./check-reports.ts";
import { checkFileExpressions } from "./file-expressions.ts";
import { buildModel } from "./file-model.ts";
import { checkInputs, typeOfInputs } from "./inputs.ts";
import { parseYaml } from "./parse-yaml.ts";
import { checkConcurrency } from "./check-concurrency.ts";
import { checkMatrices } from "./check-matrix.ts";
import { checkReferences } from "./references.ts";
import { createReport } from "./report.ts";
import { createSource } from "./source.ts";
import { readStructure } from "./structure.ts";
import type { CompiledTriggers } from "./triggers.ts";
import { addWarnings } from "./warnings.ts";

export interface CompileInput {
  /** Path in the repository, for messages and the plan. */
  file: string;
  text: string;
  /** With an event, `vars.x` must exist in it. */
  event?: PipelineEvent;
}

export interface Compiled {
  /** null when there are errors. */
  plan: Plan | null;
  /** In the order of the file; warnings too. At most 50. */
  diagnostics: Diagnostic[];
  /** null when there are errors; judge an event with `matchTriggers`. */
  on: CompiledTriggers | null;
}

/** Never throws for bad text. */
export function compile({ file, text, event }: CompileInput): Compiled {
  const source = createSource(file, text);
  const report = createReport(source);
  const failed = (): Compiled => ({ plan: null, diagnostics: report.list(), on: null });

  const document = parseYaml(source, report);
  const tree = document && buildTree(document, report);
  const sound = tree && readStructure(tree, report);
  if (!tree || !sound) return failed();

  const model = buildModel(sound, tree);
  checkReferences(model, sound.tree, report);
  checkMatrices(model, sound.tree, report);
  checkArtifacts(model, sound.tree, report);
  checkReports(model, sound.tree, report);
  checkConcurrency(model, sound, report);
  checkValues(sound.tree, model, report);
  checkInputs({ sound: sound.tree, written: tree }, report);
  const inputs = typeOfInputs(tree);
  const facts = checkFileExpressions(sound.tree, { source, model, inputs, event: event ?? null, report });
  if (report.hasErrors()) return failed();

  addWarnings({ tree: sound.tree, model, facts }, report);
  return {
    plan: buildPlan(sound, model, file),
    diagnostics: report.list(),
    on: buildTriggers(sound.file.on),
  };
}
