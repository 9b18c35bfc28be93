/**
 * What is wrong about groups of steps (`parallel`) and their number, told in words that a schema has not. What is refused
 * is taken out of the tree, so that nothing else is said of it.
 */
import { atMost, limitHint } from "./held-limits.ts";
import type { Report } from "./report.ts";
import type { MapNode, TreeNode } from "./tree.ts";

/** Of all jobs of the file, or of its only one. */
export function checkGroups(tree: MapNode, report: Report): void {
  checkSteps(tree, report);
  const jobs = tree.entries.get("jobs")?.value;
  if (jobs?.kind === "map") for (const { value } of jobs.entries.values()) checkSteps(value, report);
}

function checkSteps(owner: TreeNode, report: Report): void {
  const steps = owner.kind === "map" ? owner.entries.get("steps") : undefined;
  if (steps?.value.kind !== "seq") return;
  const { length } = steps.value.items;
  let count = length;
  for (const item of steps.value.items) count += checkGroup(item, report);
  const limit = report.limits.steps;
  if (count <= limit.value) return;
  const what =
    length > limit.value
      ? `"steps" has ${length} entries`
      : `"steps" has ${count} steps, counting those in "parallel" and templates`;
  report.add("P305", steps.keySpan, { message: `${what}; ${atMost(limit)}`, hint: limitHint(limit) });
}

/** How many steps it has beyond one. */
function checkGroup(step: TreeNode, report: Report): number {
  const template =
    step.kind === "map" && step.entries.has("uses") ? step.entries.get("steps")?.value : undefined;
  if (template?.kind === "seq")
    return template.items.reduce((sum, inner) => sum + 1 + checkGroup(inner, report), -1);
  const group = groupOf(step);
  if (!group) return 0;
  refuse(group.map, report, {
    key: "run",
    message: '"run" and "parallel" are mutually exclusive',
    hint: "put the script into the list of `parallel`, or into a step of its own",
  });
  refuse(group.map, report, {
    key: "id",
    message: '"id" is not allowed beside "parallel"',
    hint: "give ids to the steps in the list of `parallel`",
  });
  if (group.list.kind !== "seq") return 0;
  group.list.items.forEach((inner, i, items) => {
    const nested = groupOf(inner);
    if (!nested) return;
    report.add("P113", nested.keySpan, {
      message: '"parallel" is not allowed inside "parallel"',
      hint: "write all steps into one list: they run at the same time anyway",
    });
    items[i] = { kind: "scalar", span: inner.span, value: "nested", text: "nested" };
  });
  return Math.max(0, group.list.items.length - 1);
}

function groupOf(step: TreeNode) {
  if (step.kind !== "map") return null;
  const entry = step.entries.get("parallel");
  return entry ? { map: step, keySpan: entry.keySpan, list: entry.value } : null;
}

function refuse(
  map: MapNode,
  report: Report,
  { key, message, hint }: { key: string; message: string; hint: string },
): void {
  const entry = map.entries.get(key);
  if (!entry) return;
  report.add("P113", entry.keySpan, { message, hint });
  map.entries.delete(key);
}
