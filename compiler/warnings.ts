/** W9xx: what is allowed, but hardly meant. Only for files without errors. */
import { pipelineEventNames } from "@forgeline/schemas/pipeline-file/event.ts";
import { warnRunsWithoutSecrets, warnSecretWords } from "./check-secrets.ts";
import { warnUnknownEvents } from "./event-words.ts";
import type { ExpressionFacts } from "./file-expressions.ts";
import type { FileModel, ModelJob } from "./file-model.ts";
import { isEnv } from "./path-kinds.ts";
import type { Report } from "./report.ts";
import type { Path } from "./path.ts";
import type { ValidFile } from "./structure.ts";
import { warnHeldSlots } from "./warn-held-slots.ts";
import { nodeAt, spanOfKey, spanOfValue, type MapNode, type TreeNode } from "./tree.ts";

export function addWarnings(
  { sound, model, facts }: { sound: ValidFile; model: FileModel; facts: ExpressionFacts },
  report: Report,
): void {
  const { tree } = sound;
  for (const path of facts.neverTrue) {
    report.add("W901", spanOfValue(tree, path), { message: "this condition is never true" });
  }
  findNeverTrue(tree, { path: [], tree }, report);
  warnUnknownEvents(facts.eventsCompared, report);
  warnSecretWords(tree, [], report);
  for (const job of model.jobs) {
    if (!namesPipeline(nodeAt(tree, ["on"]))) warnUnusedOutputs(job, { tree, facts }, report);
    warnPassedStages(job, { model, tree }, report);
  }
  warnRunsWithoutSecrets(model, tree, report);
  warnHeldSlots(sound, model, report);
  if (!tree.entries.has("stages")) return;
  for (const stage of model.stages) {
    if (model.jobs.some((job) => job.stage === stage.name)) continue;
    report.add("W904", spanOfValue(tree, stage.path), { message: `stage "${stage.name}" has no jobs` });
  }
}

/** Clauses whose keys cannot match together: a branch and a tag, a branch on a tag event, a merge request's target. */
function findNeverTrue(node: TreeNode, { path, tree }: { path: Path; tree: MapNode }, report: Report): void {
  if (node.kind === "seq")
    node.items.forEach((item, i) => findNeverTrue(item, { path: [...path, i], tree }, report));
  if (node.kind !== "map" || isEnv(path)) return;
  if (path.at(-1) === "when" || path.at(-2) === "when") {
    const why = contradiction(node);
    if (why !== null)
      report.add("W901", spanOfKey(tree, path), { message: `this condition is never true: ${why}` });
    return;
  }
  for (const entry of node.entries.values())
    findNeverTrue(entry.value, { path: [...path, entry.key], tree }, report);
}

function contradiction(clause: TreeNode & { kind: "map" }): string | null {
  const has = (key: string): boolean => clause.entries.has(key);
  const event = clause.entries.get("event")?.value;
  const only = event?.kind === "scalar" ? event.text : null;
  if (has("branch") && has("tag")) return "no event has both a branch and a tag";
  for (const key of ["target", "label"])
    if (has(key) && only !== null && isOtherThanMergeRequest(only)) return `the event ${only} has no ${key}`;
  if (has("branch") && only === "merge_request")
    return "the event merge_request has no branch: its target branch is target";
  if (only === "tag" && has("branch")) return "the event tag has no branch";
  if ((only === "push" || only === "schedule") && has("tag")) return `the event ${only} has no tag`;
  return null;
}

/** Globs and exclusions may mean it. */
function isOtherThanMergeRequest(event: string): boolean {
  return event !== "merge_request" && (pipelineEventNames as readonly string[]).includes(event);
}

/** Other pipelines start it, and read outputs of its jobs. */
function namesPipeline(on: TreeNode | undefined): boolean {
  if (on?.kind === "map") return on.entries.has("pipeline");
  if (on?.kind === "seq") return on.items.some(namesPipeline);
  return on?.kind === "scalar" && on.text === "pipeline";
}

function warnUnusedOutputs(
  job: ModelJob,
  { tree, facts }: { tree: MapNode; facts: ExpressionFacts },
  report: Report,
): void {
  if (facts.outputsRead.has(`${job.key} *`)) return;
  for (const output of job.outputs ?? []) {
    if (facts.outputsRead.has(`${job.key} ${output}`)) continue;
    const span = spanOfKey(tree, [...job.path, "outputs", output]);
    const hint = `read it in a job that needs "${job.key}": \${{ needs.${job.key}.outputs.${output} }}`;
    report.add("W902", span, { message: `no job uses the output "${output}"`, hint });
  }
}

/** A stage with a condition or an approval waits for the stages before; a job in it with other `needs` does not. */
function warnPassedStages(
  job: ModelJob,
  { model, tree }: { model: FileModel; tree: MapNode },
  report: Report,
): void {
  const index = model.stages.findIndex((stage) => stage.name === job.stage);
  const stage = model.stages[index];
  // An empty list can only be meant.
  if (job.needs === null || job.needs.length === 0 || index < 1 || stage === undefined) return;
  if (stage.stage.when === undefined && stage.stage.approval === undefined) return;
  const before = model.stages.slice(0, index).map((one) => one.name);
  const reached = stagesReached(job, model);
  const passed = before.filter((name) => !reached.has(name) && model.jobs.some((one) => one.stage === name));
  if (passed.length === 0) return;
  const text = `job "${job.key}" of stage "${stage.name}" does not wait for ${passed.join(", ")}`;
  const hint = "a job with `needs` ignores the order of stages; add those jobs to `needs`, or remove `needs`";
  report.add("W903", spanOfKey(tree, [...job.path, "needs"]), { message: text, hint });
}

function stagesReached(job: ModelJob, model: FileModel): Set<string> {
  const stages = new Set<string>();
  const seen = new Set<string>();
  const open = (job.needs ?? []).map((need) => need.job);
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    const needed = model.jobs.find((one) => one.key === key);
    if (!needed || seen.has(key)) continue;
    seen.add(key);
    if (needed.stage !== null) stages.add(needed.stage);
    // By the order of stages it waits for all of theirs.
    const before = stagesBefore(needed, model);
    for (const stage of before) stages.add(stage.name);
    const inThem = model.jobs.filter(({ stage }) => before.some(({ name }) => name === stage));
    open.push(...(needed.needs?.map((need) => need.job) ?? inThem.map((one) => one.key)));
  }
  return stages;
}

/** Those that the stage of a job without `needs` waits for. */
function stagesBefore({ needs, stage: own }: ModelJob, { stages }: FileModel): FileModel["stages"] {
  const index = stages.findIndex(({ name }) => name === own);
  const stage = stages[index];
  if (needs !== null || stage === undefined) return [];
  if (stage.needs === null) return stages.slice(Math.max(0, index - 1), index);
  return stages.filter(({ name }) => stage.needs?.some((need) => need.name === name));
}
