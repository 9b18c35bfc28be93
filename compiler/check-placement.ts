/** What is wrong with stages whose jobs run on one runner, and with the workspaces that these share. */
import { planClone } from "./build-steps.ts";
import { labelsOfJob, labelsOfStage } from "./stage-labels.ts";
import type { FileModel, ModelJob, ModelStage } from "./file-model.ts";
import type { Path } from "./path.ts";
import type { Report } from "./report.ts";
import { labelProblems } from "./runner-labels.ts";
import type { ValidFile } from "./structure.ts";
import { quote } from "./suggest.ts";
import { hasExpression } from "./template.ts";
import { nodeAt, spanOfKey, spanOfValue } from "./tree.ts";

interface Checked {
  model: FileModel;
  sound: ValidFile;
  report: Report;
}

export function checkPlacement(model: FileModel, sound: ValidFile, report: Report): void {
  const checked = { model, sound, report };
  checkSharing(checked);
  for (const stage of model.stages) {
    if (stage.stage.placement !== "together") continue;
    const jobs = model.jobs.filter((job) => job.stage === stage.name);
    checkLabels(checked, stage, jobs);
    checkClones(checked, stage, jobs);
  }
}

function checkSharing({ model, sound, report }: Checked): void {
  for (const { key, path, job, stage: name } of model.jobs) {
    const stage = model.stages.find((candidate) => candidate.name === (name ?? "main"));
    if (job.workspace !== "stage" || !stage || stage.stage.placement === "together") continue;
    const message = `job ${quote(key)} works in the workspace of its stage, but the jobs of ${quote(stage.name)} can run on several runners`;
    const hint = model.hasStages
      ? `write the stage as \`{ name: ${stage.name}, placement: together }\`, or remove \`workspace\``
      : "list the job's stage under `stages`, with `placement: together`";
    report.add("P138", spanOfValue(sound.tree, [...path, "workspace"]), { message, hint });
  }
}

/** One runner has to fit all jobs, and is chosen before the last of them is known. */
function checkLabels({ sound, report }: Checked, stage: ModelStage, jobs: readonly ModelJob[]): void {
  const { defaults } = sound.file;
  let open = false;
  for (const job of jobs) {
    const label = labelsOfJob(job.job, defaults).find(hasExpression);
    if (label === undefined) continue;
    open = true;
    report.add("P139", spanOfKey(sound.tree, runnerPath(job, sound)), {
      message: `the labels of job ${quote(job.key)} have an expression, and all jobs of ${quote(stage.name)} run on one runner, which is chosen before`,
      hint: "write the labels as plain text, or remove `placement: together` from the stage",
    });
  }
  const [problem] = open ? [] : labelProblems(labelsOfStage(jobs, defaults));
  const isOfOneJob = jobs.some(({ job }) => labelProblems(labelsOfJob(job, defaults)).length > 0);
  if (!problem || isOfOneJob) return;
  report.add("P139", spanOfValue(sound.tree, [...stage.path, "placement"]), {
    message: `all jobs of ${quote(stage.name)} run on one runner, and no runner fits all of them: ${problem.message}`,
    hint: "remove labels from its jobs, or remove `placement: together`",
  });
}

function runnerPath({ path }: ModelJob, { tree }: ValidFile): Path {
  const own = [...path, "runner"];
  return nodeAt(tree, own) === undefined ? ["defaults", "runner"] : own;
}

/** Only the first of them clones. */
function checkClones({ sound, report }: Checked, stage: ModelStage, jobs: readonly ModelJob[]): void {
  const written = sound.file.defaults?.clone;
  const cloneOf = ({ job }: ModelJob) => JSON.stringify(planClone(job.clone ?? written));
  const [first, ...others] = jobs.filter(({ job }) => job.workspace === "stage");
  if (!first) return;
  for (const job of others) {
    if (cloneOf(job) === cloneOf(first)) continue;
    const place = nodeAt(sound.tree, [...job.path, "clone"]) === undefined ? first : job;
    report.add("P140", spanOfKey(sound.tree, [...place.path, "clone"]), {
      message: `jobs ${quote(first.key)} and ${quote(job.key)} share the workspace of ${quote(stage.name)}, and say differently what is cloned into it`,
      hint: "write the same `clone` for both, or write it once under `defaults`",
    });
  }
}
