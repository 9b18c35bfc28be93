/** `on` of a file that has errors elsewhere: whether it would have run. Pure. */
import { FileOn } from "@forgeline/schemas/pipeline-file/file-when.ts";
import { buildTriggers } from "./build-triggers.ts";
import { toValue, type TreeNode } from "./tree.ts";
import type { CompiledTriggers } from "./triggers.ts";

/** null where it cannot be read. */
export function readTriggers(tree: TreeNode): CompiledTriggers | null {
  if (tree.kind !== "map") return null;
  const entry = tree.entries.get("on");
  const on = FileOn.optional().safeParse(entry && toValue(entry.value, ["on"]));
  return on.success ? buildTriggers(on.data) : null;
}
