/** A job and the template that says what it does, as one. */
import type { MapEntry, MapNode, SeqNode, TreeNode } from "../tree.ts";

/** The job's own keys win. Its variables and services are added to the template's, and its secrets. */
export function mergeJob(job: MapNode, template: MapNode): void {
  for (const [key, given] of template.entries) {
    const own = job.entries.get(key);
    if (!own) job.entries.set(key, given);
    else if (key === "secrets") own.value = joined(given.value, own.value);
    else if ((key === "env" || key === "services") && own.value.kind === "map" && given.value.kind === "map")
      own.value = { ...own.value, entries: new Map([...given.value.entries, ...own.value.entries]) };
  }
}

function joined(given: TreeNode, own: TreeNode): TreeNode {
  if (given.kind === "scalar" || own.kind === "scalar") return own;
  return { kind: "seq", span: own.span, items: [...asList(given), ...asList(own)] };
}

/** `{ENV: name}` as `[{ name, env }]`. */
function asList(secrets: SeqNode | MapNode): TreeNode[] {
  if (secrets.kind === "seq") return secrets.items;
  return [...secrets.entries.values()].map(({ key, keySpan, value }): MapNode => {
    const env: TreeNode = { kind: "scalar", span: keySpan, value: key, text: key };
    const entries: [string, MapEntry][] = [
      ["name", { key: "name", keySpan, value }],
      ["env", { key: "env", keySpan, value: env }],
    ];
    return { kind: "map", span: keySpan, entries: new Map(entries) };
  });
}
