/** Reading values out of nodes without caring how they were written: one text or a list, a mapping or a list of mappings. */
import type { MapEntry, ScalarNode, TreeNode } from "../tree.ts";

export function textOfNode(node: TreeNode | undefined): string | null {
  return node?.kind === "scalar" && node.value !== null ? node.text : null;
}

export function isTrue(node: TreeNode | undefined): boolean {
  return node?.kind === "scalar" && (node.value === true || node.text === "true");
}

/** Scalars of a list, of the lists in it, or the one scalar. */
export function scalars(node: TreeNode | undefined): ScalarNode[] {
  if (node === undefined) return [];
  if (node.kind === "seq") return node.items.flatMap(scalars);
  return node.kind === "scalar" && node.value !== null ? [node] : [];
}

export function texts(node: TreeNode | undefined): string[] {
  return scalars(node).map(({ text }) => text);
}

export function items(node: TreeNode | undefined): TreeNode[] {
  if (node === undefined) return [];
  return node.kind === "seq"
    ? node.items.flatMap((item) => (item.kind === "seq" ? items(item) : [item]))
    : [node];
}

export function entries(node: TreeNode | undefined): MapEntry[] {
  return node?.kind === "map" ? [...node.entries.values()] : [];
}

export function child(node: TreeNode | undefined, key: string): TreeNode | undefined {
  return node?.kind === "map" ? node.entries.get(key)?.value : undefined;
}
