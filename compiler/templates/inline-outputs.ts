/** In the place of `steps.<id>.outputs.<name>`, where the step is a template: what that output of the template is. */
import { createBudget, copyBody } from "./copy-body.ts";
import { asExpression, type Replace } from "./replace-names.ts";
import type { Path } from "../path.ts";
import type { MapEntry, MapNode, TreeNode } from "../tree.ts";

/** A copy. For trees that have been found to be sound. */
export function inlineOutputs(tree: MapNode): MapNode {
  const jobs = tree.entries.get("jobs");
  if (jobs?.value.kind !== "map") return inlineInJob(tree, []) as MapNode;
  const entries = new Map<string, MapEntry>();
  for (const [key, entry] of jobs.value.entries)
    entries.set(key, { ...entry, value: inlineInJob(entry.value, ["jobs", key]) });
  const inlined: MapEntry = { ...jobs, value: { ...jobs.value, entries } };
  return { ...tree, entries: new Map([...tree.entries, ["jobs", inlined]]) };
}

function inlineInJob(job: TreeNode, path: Path): TreeNode {
  const outputs = outputsOfSteps(job);
  if (outputs.size === 0) return job;
  const replace: Replace = ([root, id = "", part, name = "", ...rest]) => {
    if (root !== "steps" || part !== "outputs" || rest.length > 0) return null;
    const text = outputs.get(id)?.get(name);
    return text === undefined ? null : asExpression(text);
  };
  // What is in the templates has been counted already.
  return copyBody(job, path, { replace, ids: new Map(), budget: createBudget() });
}

function outputsOfSteps(job: TreeNode): Map<string, ReadonlyMap<string, string>> {
  const found = new Map<string, ReadonlyMap<string, string>>();
  const steps = job.kind === "map" ? job.entries.get("steps")?.value : undefined;
  if (steps?.kind !== "seq") return found;
  for (const step of steps.items) {
    const id = step.kind === "map" ? step.entries.get("id")?.value : undefined;
    if (step.kind === "map" && step.outputs && id?.kind === "scalar") found.set(id.text, step.outputs);
  }
  return found;
}
