/** `trigger` of jobs: what may stand beside it, and what of it can be judged before its expressions are known. */
import { keysBesideTrigger } from "@forgeline/schemas/pipeline-file/file-trigger.ts";
import type { FileModel } from "./file-model.ts";
import type { Path } from "./path.ts";
import type { Report } from "./report.ts";
import { joinWithOr, quote } from "./suggest.ts";
import { hasExpression } from "./template.ts";
import { nodeAt, spanOfKey, spanOfValue, type MapNode, type TreeNode } from "./tree.ts";

/** The rest of the compiler knows only jobs with steps: one that starts a pipeline gets a step that nobody runs. */
export function addTriggerSteps(tree: MapNode): void {
  const jobs = tree.entries.get("jobs")?.value;
  if (jobs?.kind !== "map") return;
  for (const { value: job } of jobs.entries.values()) {
    const trigger = job.kind === "map" ? job.entries.get("trigger") : undefined;
    if (job.kind !== "map" || !trigger || job.entries.has("steps")) continue;
    const { keySpan, value } = trigger;
    const step: TreeNode = { kind: "scalar", span: value.span, value: "true", text: "true" };
    const list: TreeNode = { kind: "seq", span: value.span, items: [step] };
    job.entries.set("steps", { key: "steps", keySpan, value: list });
  }
}

/** `tree` as it is written. */
export function checkTriggers(model: FileModel, tree: TreeNode, report: Report): void {
  for (const { job, path, key } of model.jobs) {
    if (job.trigger === undefined) continue;
    const place = { tree, path: [...path, "trigger"], report, job: key };
    checkBeside(place, path);
    checkTarget(place, job.trigger);
    checkOutputs(place, job.trigger);
    for (const [i, need] of (job.needs ?? []).entries())
      if (typeof need === "object" && need.artifacts !== undefined)
        report.add("P123", spanOfKey(tree, [...path, "needs", i, "artifacts"]), {
          message: `job "${key}" starts a pipeline and has no workspace for artifacts`,
          hint: "remove `artifacts`; outputs can be given with `inputs`",
        });
    if (typeof job.retry === "object" && job.retry.on !== undefined)
      report.add("P123", spanOfKey(tree, [...path, "retry", "on"]), {
        message: `job "${key}" starts a pipeline, which is tried again whatever the reason`,
        hint: "remove `on`",
      });
    if (typeof job.allow_failure === "object")
      report.add("P123", spanOfValue(tree, [...path, "allow_failure"]), {
        message: `job "${key}" starts a pipeline, which has no exit code`,
        hint: "write `allow_failure: true`",
      });
  }
}

interface Place {
  tree: TreeNode;
  path: Path;
  report: Report;
  job: string;
}

function checkBeside({ tree, report, job: name }: Place, path: Path): void {
  const job = nodeAt(tree, path);
  if (job?.kind !== "map") return;
  for (const { key, keySpan } of job.entries.values()) {
    if (keysBesideTrigger.includes(key)) continue;
    const hint =
      key === "outputs"
        ? "list the outputs of the other pipeline that you need: trigger: { outputs: [name] }"
        : `a job that starts a pipeline is not executed by a runner; beside it there can be ${joinWithOr(keysBesideTrigger.slice(1))}`;
    report.add("P123", keySpan, {
      message: `${quote(key)} means nothing in job "${name}", which has "trigger"`,
      hint,
    });
  }
}

type Trigger = NonNullable<FileModel["jobs"][number]["job"]["trigger"]>;

function checkTarget({ tree, path, report }: Place, trigger: Trigger): void {
  const { repository, pipeline, ref, inputs = {} } = trigger;
  if (
    repository !== undefined &&
    !hasExpression(repository) &&
    !/^[A-Za-z0-9._-]{1,100}\/[A-Za-z0-9._-]{1,100}$/.test(repository)
  )
    report.add("P123", spanOfValue(tree, [...path, "repository"]), {
      message: `"repository" must be a repository of this instance as owner/name, not ${quote(repository)}`,
      hint: "without it, the pipeline is one of this repository",
    });
  const isOwn = repository === undefined && pipeline === undefined && ref === undefined;
  if (isOwn && Object.keys(inputs).length === 0)
    report.add("P123", spanOfKey(tree, path), {
      message: "the pipeline would start itself without an end",
      hint: "say which `pipeline` or `repository` is meant, or give it other `inputs`",
    });
}

function checkOutputs({ tree, path, report }: Place, { wait, outputs = [] }: Trigger): void {
  if (wait === false && outputs.length > 0)
    report.add("P123", spanOfKey(tree, [...path, "outputs"]), {
      message: "there are no outputs without waiting for the other pipeline",
      hint: "remove `wait: false`, or the outputs",
    });
  outputs.forEach((name, i) => {
    if (outputs.indexOf(name) < i)
      report.add("P111", spanOfValue(tree, [...path, "outputs", i]), {
        message: `the output ${quote(name)} is listed twice`,
      });
  });
}
