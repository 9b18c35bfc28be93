/** `parallel` of a job: several of the same, or one for each combination of variables. */
import type { TreeNode } from "../../tree.ts";
import { matrixName } from "../names.ts";
import { child, entries, items, scalars, textOfNode } from "../nodes.ts";
import type { Plain, PlainMap } from "../plain.ts";
import type { Section } from "../trace.ts";

export interface Parallel {
  matrix: PlainMap | null;
  /** Variables that hold the values, as GitLab has them. */
  env: PlainMap;
  names: readonly string[];
}

const none: Parallel = { matrix: null, env: {}, names: [] };

export function convertParallel(node: TreeNode | undefined, section: Section): Parallel {
  if (node === undefined) return none;
  const count = Number(textOfNode(node));
  if (node.kind === "scalar" && Number.isInteger(count) && count >= 2 && count <= 200) {
    const indexes = Array.from({ length: count }, (_each, i) => i + 1);
    return {
      matrix: { node_index: indexes },
      env: { NODE_INDEX: "${{ matrix.node_index }}", NODE_TOTAL: String(count) },
      names: ["node_index"],
    };
  }
  const groups = items(child(node, "matrix")).map((item) => valuesOf(item, section));
  const names = [...new Set(groups.flatMap((group) => Object.keys(group)))];
  if (names.length === 0) return none;
  const env = Object.fromEntries(names.map((name) => [name, `\${{ matrix.${name} }}`]));
  const [only] = groups;
  if (groups.length === 1 && only) return { matrix: only, env, names };
  const include = groups.flatMap(product);
  if (include.length > 256) {
    section.note("parallel", { message: `${include.length} combinations are more than 256` });
    return none;
  }
  return { matrix: { include }, env, names };
}

function valuesOf(node: TreeNode, section: Section): Record<string, Plain[]> {
  const values: Record<string, Plain[]> = {};
  for (const { key, value } of entries(node)) {
    const list = scalars(value).map(({ text }) => text);
    if (list.some((text) => text.includes("$")))
      section.note("parallel", { message: `${key}: variables in values of a matrix are not replaced` });
    if (list.length > 0 && matrixName(key) === key)
      values[key] = list.map((text) => text.replaceAll("${{", "$ {{"));
    else section.note("parallel", { message: `${key} cannot be a name of a matrix` });
  }
  return values;
}

function product(group: Readonly<Record<string, Plain[]>>): PlainMap[] {
  let combinations: PlainMap[] = [{}];
  for (const [name, list] of Object.entries(group)) {
    combinations = combinations.flatMap((combination) =>
      list.map((value) => ({ ...combination, [name]: value })),
    );
    if (combinations.length > 1000) return combinations;
  }
  return combinations;
}
