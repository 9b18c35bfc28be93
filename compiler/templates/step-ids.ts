/** Ids for the steps of templates, so that none of them is one of the job's own or of another template. */
import type { MapNode, SeqNode, TreeNode } from "../tree.ts";

/** For each use of a template in the list of steps: new ids by those that the template has. */
export function freeIds(steps: SeqNode): (body: MapNode) => Map<string, string> {
  const taken = idsIn(steps);
  let prefix = "t";
  while (taken.some((id) => id.startsWith(prefix))) prefix += "t";
  let uses = 0;
  return (body) => {
    uses += 1;
    const own = body.entries.get("steps")?.value;
    const ids = own?.kind === "seq" ? idsIn(own) : [];
    return new Map(ids.map((id, index) => [id, `${prefix}${uses}-${index + 1}`]));
  };
}

function idsIn(list: SeqNode): string[] {
  return list.items.flatMap(idsOf);
}

function idsOf(step: TreeNode): string[] {
  if (step.kind !== "map") return [];
  const id = step.entries.get("id")?.value;
  const inner = [step.entries.get("parallel")?.value, step.entries.get("steps")?.value];
  const own = id?.kind === "scalar" && id.value !== null ? [id.text] : [];
  return [...own, ...inner.flatMap((list) => (list?.kind === "seq" ? idsIn(list) : []))];
}
