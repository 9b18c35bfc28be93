/** All checks of a file whose templates are in their places: a pipeline file, or a template that looks like one. */
import type { JobPermissionLevel } from "@forgeline/schemas/pipeline-file/file-permissions.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import { checkValues } from "./check-values.ts";
import { checkArtifacts } from "./check-artifacts.ts";
import { checkCaches } from "./check-caches.ts";
import { checkFileExpressions, type ExpressionFacts } from "./file-expressions.ts";
import { buildModel, type FileModel } from "./file-model.ts";
import { checkInputs, typeOfInputs } from "./inputs.ts";
import { checkConcurrency } from "./check-concurrency.ts";
import { checkMatrices } from "./check-matrix.ts";
import { checkNetworks } from "./check-network.ts";
import { checkPermissions } from "./check-permissions.ts";
import { checkPrivileged, type PrivilegedJobs } from "./check-privileged.ts";
import { checkPlacement } from "./check-placement.ts";
import { checkReports } from "./check-reports.ts";
import { checkTriggers } from "./check-trigger.ts";
import { withIds } from "./name-keys.ts";
import { checkProcessJobs } from "./process-jobs.ts";
import { checkReferences } from "./references.ts";
import type { Report } from "./report.ts";
import type { Source } from "./source.ts";
import { readStructure, type ValidFile } from "./structure.ts";
import type { TreeNode } from "./tree.ts";

export interface CheckedFile {
  sound: ValidFile;
  model: FileModel;
  facts: ExpressionFacts;
}

/** null when nothing of the file is left to judge; the report tells whether the rest has errors. */
export function checkFile(
  written: TreeNode,
  {
    source,
    report,
    event,
    privileged,
    permissionsMax,
  }: {
    source: Source;
    report: Report;
    event: PipelineEvent | null;
    privileged?: PrivilegedJobs | undefined;
    permissionsMax?: JobPermissionLevel | undefined;
  },
): CheckedFile | null {
  const tree = withIds(written, report);
  const sound = readStructure(tree, report);
  if (!sound) return null;
  const model = buildModel(sound, tree, report.limits);
  checkReferences(model, sound.tree, report);
  checkMatrices(model, sound.tree, report);
  checkArtifacts(model, sound.tree, report);
  checkCaches(model, sound.tree, report);
  checkReports(model, sound.tree, report);
  checkTriggers(model, tree, report);
  checkConcurrency(model, sound, report);
  checkNetworks(model, sound, report);
  checkPrivileged(model, { sound, rule: privileged ?? null }, report);
  if (permissionsMax === "read") checkPermissions(model, sound, report);
  checkPlacement(model, sound, report);
  checkProcessJobs(model, sound, report);
  checkValues(sound, model, report);
  checkInputs({ sound: sound.tree, written: tree }, report);
  const inputs = typeOfInputs(tree);
  const facts = checkFileExpressions(sound.tree, { source, model, inputs, event, report });
  return { sound, model, facts };
}
