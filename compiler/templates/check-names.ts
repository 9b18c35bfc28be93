/** In templates, `inputs` and `steps` can only be read by plain names: each name is replaced where the template is used. */
import { ExpressionProblem } from "../expression/problem.ts";
import { conditionScope, isScript } from "../path-kinds.ts";
import type { Path } from "../path.ts";
import type { Report } from "../report.ts";
import { hasExpression } from "../template.ts";
import type { MapNode, ScalarNode, TreeNode } from "../tree.ts";
import { replaceInCondition, replaceInText, type Replace } from "./replace-names.ts";

export function checkNames(tree: MapNode, report: Report): void {
  visit(tree, [], report);
}

function visit(node: TreeNode, path: Path, report: Report): void {
  if (node.kind === "seq") node.items.forEach((item, i) => visit(item, [...path, i], report));
  else if (node.kind === "map")
    for (const entry of node.entries.values()) visit(entry.value, [...path, entry.key], report);
  else if (typeof node.value === "string" && !isScript(path)) checkScalar(node, path, report);
}

function checkScalar(node: ScalarNode, path: Path, report: Report): void {
  const isCondition = conditionScope(path) !== null;
  if (!isCondition && !hasExpression(node.text)) return;
  const whole: string[] = [];
  const note: Replace = ([root = "", ...names], at) => {
    if (root !== "inputs" && root !== "steps") return null;
    if (names.length === 0) whole.push(root);
    // Deeper parts of a plain name are no names of their own.
    return names.length === 1 || at.kind === "name" ? root : null;
  };
  try {
    if (isCondition) replaceInCondition(node.text, note);
    else replaceInText(node.text, note);
  } catch (error) {
    // What cannot be read has been reported.
    if (!(error instanceof ExpressionProblem)) throw error;
  }
  for (const root of whole)
    report.add("P506", node.span, {
      message: `in a template, "${root}" can only be read by plain names`,
      hint: root === "inputs" ? "write inputs.<name>" : "write steps.<id>.outputs.<name>",
    });
}
