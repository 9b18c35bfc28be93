/** Names that must lead somewhere: stages of jobs, needs, doubles, circles. */
import { findCycles } from "./cycles.ts";
import type { FileModel, ModelJob } from "./file-model.ts";
import type { Report } from "./report.ts";
import { writtenSteps } from "./step-groups.ts";
import { nameList, nearest, quote, suggestion } from "./suggest.ts";
import type { Path } from "./path.ts";
import { spanOfKey, spanOfValue, type MapNode } from "./tree.ts";

export function checkReferences(model: FileModel, tree: MapNode, report: Report): void {
  checkStages(model, tree, report);
  for (const job of model.jobs) {
    checkStageOfJob(job, { model, tree }, report);
    checkNeeds(job, { model, tree }, report);
    checkStepIds(job, tree, report);
  }
  checkCircles(model, tree, report);
}

function checkStages(model: FileModel, tree: MapNode, report: Report): void {
  const seen: string[] = [];
  for (const stage of model.stages) {
    const place: Path = model.hasStages ? stage.path : [];
    if (seen.includes(stage.name)) {
      report.add("P111", nameSpan(tree, place), { message: `duplicate stage ${quote(stage.name)}` });
    }
    seen.push(stage.name);
    for (const need of stage.needs ?? []) {
      const span = spanOfValue(tree, need.path);
      if (!model.stagesSound) continue;
      if (!model.stageNames.includes(need.name)) {
        const text = `stage "${stage.name}" needs ${quote(need.name)}, which does not exist`;
        report.add("P105", span, {
          message: text,
          hint: otherName(need.name, stage.name, { names: model.stageNames, label: "Stages here" }),
        });
      } else if (!seen.includes(need.name) || need.name === stage.name) {
        const text = `stage "${stage.name}" needs "${need.name}", which is not an earlier stage`;
        report.add("P107", span, { message: text, hint: "stages run in the order of the list; move it up" });
      }
    }
  }
}

function nameSpan(tree: MapNode, path: Path): ReturnType<typeof spanOfKey> {
  const name = spanOfValue(tree, [...path, "name"]);
  return name.start === spanOfKey(tree, path).start ? spanOfValue(tree, path) : name;
}

function checkStageOfJob(
  job: ModelJob,
  { model, tree }: { model: FileModel; tree: MapNode },
  report: Report,
): void {
  const { hasStages } = model;
  if (job.stage === null) {
    const hint = `Stages here: ${model.stageNames.join(", ")}`;
    const text = `job "${job.key}" has no stage, but this file defines stages`;
    if (hasStages) report.add("P110", spanOfKey(tree, job.path), { message: text, hint });
    return;
  }
  if (model.stageNames.includes(job.stage) || !model.stagesSound) return;
  const span = spanOfValue(tree, [...job.path, "stage"]);
  const hint = hasStages ? suggestion(job.stage, model.stageNames, "Stages here") : 'add a list "stages"';
  report.add("P105", span, {
    message: `job "${job.key}" is in stage ${quote(job.stage)}, which does not exist`,
    hint,
  });
}

function checkNeeds(
  job: ModelJob,
  { model, tree }: { model: FileModel; tree: MapNode },
  report: Report,
): void {
  const seen = new Set<string>();
  for (const need of job.needs ?? []) {
    const span = spanOfValue(tree, need.path);
    const target = model.jobs.find((other) => other.key === need.job);
    if (!model.jobNames.includes(need.job)) {
      const text = `job "${job.key}" needs ${quote(need.job)}, which does not exist`;
      const hint = otherName(need.job, job.key, { names: model.jobNames, label: "Jobs here" });
      report.add("P104", span, { message: text, hint });
    } else if (seen.has(need.job)) {
      report.add("P111", span, { message: `job "${job.key}" needs "${need.job}" twice` });
    } else if (target && isLater(target, job, model)) {
      const text = `job "${job.key}" needs "${need.job}", which is in the later stage "${target.stage}"`;
      report.add("P107", span, {
        message: text,
        hint: `needs can only name jobs in stage "${job.stage}" or earlier`,
      });
    }
    seen.add(need.job);
  }
}

/** Lists all names, and suggests any but its own, which would be a circle. */
function otherName(
  wrong: string,
  own: string,
  { names, label }: { names: readonly string[]; label: string },
): string {
  const near = nearest(
    wrong,
    names.filter((name) => name !== own),
  );
  const list = `${label}: ${nameList(names)}`;
  return near === null ? list : `did you mean "${near}"? ${list}`;
}

function isLater(target: ModelJob, job: ModelJob, model: FileModel): boolean {
  const there = model.stageNames.indexOf(target.stage ?? "");
  const here = model.stageNames.indexOf(job.stage ?? "");
  return there !== -1 && here !== -1 && there > here;
}

function checkStepIds(job: ModelJob, tree: MapNode, report: Report): void {
  const seen = new Set<string>();
  for (const { id, path } of idsOf(job)) {
    const span = spanOfValue(tree, [...job.path, ...path, "id"]);
    if (seen.has(id)) report.add("P111", span, { message: `two steps of this job have the id "${id}"` });
    seen.add(id);
  }
}

/** In the order of the file, with those of steps that are templates. */
function idsOf({ job }: ModelJob): { id: string; path: Path }[] {
  const templates = job.steps.flatMap((step, entry) =>
    typeof step === "string" || !("uses" in step) ? [] : [{ step, path: ["steps", entry], entry }],
  );
  return [...templates, ...writtenSteps(job.steps)]
    .toSorted((a, b) => a.entry - b.entry)
    .flatMap(({ step: { id }, path }) => (id === undefined ? [] : [{ id, path }]));
}

/** Each circle once, at the need that closes it, with all its members named. */
function checkCircles(model: FileModel, tree: MapNode, report: Report): void {
  const graph = new Map(model.jobs.map((job) => [job.key, (job.needs ?? []).map((need) => need.job)]));
  for (const circle of findCycles(graph)) {
    const [first = ""] = circle;
    const job = model.jobs.find((one) => one.key === first);
    const need = job?.needs?.find((one) => one.job === (circle[1] ?? first));
    const span = need ? spanOfValue(tree, need.path) : spanOfKey(tree, ["jobs", first]);
    const text =
      circle.length === 1
        ? `job "${first}" needs itself`
        : `circular needs: ${[...circle, first].join(" → ")}`;
    report.add("P106", span, { message: text, hint: "remove one of these needs" });
  }
}
