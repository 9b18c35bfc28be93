/** `concurrency` of a workflow or job. */
import type { TreeNode } from "../../tree.ts";
import { attempt } from "../cannot.ts";
import { child, isTrue, textOfNode } from "../nodes.ts";
import { present, type Plain } from "../plain.ts";
import type { Section } from "../trace.ts";
import type { Known } from "./known.ts";
import { translateTemplate } from "./texts.ts";

/** GitHub keeps one that waits and cancels those before it. */
export function convertConcurrency(
  node: TreeNode | undefined,
  { section, known }: { section: Section; known: Known },
): Plain {
  if (node === undefined) return null;
  const text = textOfNode(node) ?? textOfNode(child(node, "group")) ?? "";
  const group = attempt(() => translateTemplate(text, known));
  const cancels = child(node, "cancel-in-progress");
  if (textOfNode(cancels)?.includes("${{"))
    section.note("concurrency", {
      message: "cancel-in-progress cannot be an expression",
      suggestion: "write cancel_running: true where it is right for all runs",
    });
  if ("value" in group && group.value !== "")
    return present({ group: group.value, waiting: "newest", cancel_running: isTrue(cancels) ? true : null });
  section.note("concurrency", {
    message: "problem" in group ? group.problem.message : "the group has no name",
    suggestion: "write a group of expressions that are known here",
  });
  return null;
}
