/** A copy of what a template holds for one of its uses: `inputs` and ids of steps become what they are at that place. */
import { ExpressionProblem } from "../expression/problem.ts";
import { limits } from "../limits.ts";
import { conditionScope, isScript, objectKind } from "../path-kinds.ts";
import type { Path } from "../path.ts";
import type { Span } from "../source.ts";
import { hasExpression } from "../template.ts";
import type { MapEntry, MapNode, ScalarNode, TreeNode } from "../tree.ts";
import { replaceInCondition, replaceInText, type Replace } from "./replace-names.ts";

/** What all templates of a file may become together. */
export interface Budget {
  nodes: number;
  chars: number;
}

export function createBudget(): Budget {
  return { nodes: limits.templateNodes, chars: limits.templateChars };
}

export interface Copy {
  /** Names in its expressions. */
  replace: Replace;
  /** New ids of steps; empty where they keep theirs. */
  ids: ReadonlyMap<string, string>;
  /** Where the template is used. */
  given?: Span;
  budget: Budget;
}

/** `inputs`: an expression for each. */
export function replaceInputs(
  inputs: ReadonlyMap<string, string>,
  ids: ReadonlyMap<string, string>,
): Replace {
  return ([root, name, ...rest]) => {
    if (name === undefined || rest.length > 0) return null;
    if (root === "inputs") return inputs.get(name) ?? null;
    const id = root === "steps" ? ids.get(name) : undefined;
    return id === undefined ? null : `steps.${id}`;
  };
}

/** Thrown when the budget is spent. */
export class BudgetSpent extends Error {}

/** `path`: of the node in its template. Throws `BudgetSpent`. */
export function copyBody(node: TreeNode, path: Path, copy: Copy): TreeNode {
  spend(copy.budget, node);
  if (node.kind === "scalar") return copyScalar(node, path, copy);
  if (node.kind === "seq")
    return { ...node, items: node.items.map((item, i) => copyBody(item, [...path, i], copy)) };
  const entries = new Map<string, MapEntry>();
  for (const [key, entry] of node.entries)
    entries.set(key, { ...entry, value: copyBody(entry.value, [...path, key], copy) });
  return renamed({ ...node, entries }, path, copy);
}

function spend(budget: Budget, node: TreeNode): void {
  budget.nodes -= 1;
  if (node.kind === "scalar") budget.chars -= node.text.length;
  if (budget.nodes < 0 || budget.chars < 0) throw new BudgetSpent();
}

/** Its id, where it is a step. */
function renamed(node: MapNode, path: Path, { ids }: Copy): MapNode {
  const entry = objectKind(path) === "step" ? node.entries.get("id") : undefined;
  const id = entry?.value.kind === "scalar" ? ids.get(entry.value.text) : undefined;
  if (!entry || id === undefined) return node;
  node.entries.set("id", {
    ...entry,
    value: { ...entry.value, kind: "scalar", value: id, text: id } as ScalarNode,
  });
  return node;
}

function copyScalar(node: ScalarNode, path: Path, copy: Copy): ScalarNode {
  if (typeof node.value !== "string" || isScript(path)) return node;
  const isCondition = conditionScope(path) !== null;
  if (!isCondition && !hasExpression(node.text)) return node;
  const text = copyText(node.text, copy, isCondition);
  return { ...node, value: text, text, ...(copy.given ? { given: copy.given } : {}) };
}

/** Text that cannot be read stays as it is: its own file is told. Throws `BudgetSpent`. */
export function copyText(text: string, copy: Copy, isCondition: boolean): string {
  try {
    const copied = isCondition ? replaceInCondition(text, copy.replace) : replaceInText(text, copy.replace);
    copy.budget.chars -= copied.length - text.length;
    if (copy.budget.chars < 0) throw new BudgetSpent();
    return copied;
  } catch (error) {
    if (error instanceof ExpressionProblem) return text;
    throw error;
  }
}
