/**
 * The file as a located tree: every key and value knows where it stands. Aliases are already followed, so a part that
 * is used twice is two nodes with one place. Maps keep the order of the file.
 */
import type { PlanInput } from "@forgeline/schemas/pipeline-file/plan.ts";
import { isText } from "./path-kinds.ts";
import type { Path } from "./path.ts";
import type { Span } from "./source.ts";

export interface ScalarNode {
  kind: "scalar";
  span: Span;
  value: string | number | boolean | null;
  /** As written, for plain numbers such as 22.10 that must keep their text. */
  text: string;
  /** Of an expression in a template, which is sound by itself: where that is used. A mistake that is left is one of that place. */
  given?: Span;
  /** Under `with`: the input that it is for. */
  input?: PlanInput;
}
export interface SeqNode {
  kind: "seq";
  span: Span;
  items: TreeNode[];
  /** GitLab's `!reference`, in files that are converted. */
  isReference?: true;
}
export interface MapEntry {
  key: string;
  keySpan: Span;
  value: TreeNode;
}
export interface MapNode {
  kind: "map";
  span: Span;
  entries: Map<string, MapEntry>;
  /** Of a step or job with `uses`: what later parts may read of it, as expressions by name; null: not known. */
  outputs?: ReadonlyMap<string, string> | null;
}
export type TreeNode = ScalarNode | SeqNode | MapNode;

export function child(node: TreeNode, part: string | number): TreeNode | undefined {
  if (node.kind === "map") return node.entries.get(String(part))?.value;
  if (node.kind === "seq") return node.items[Number(part)];
  return undefined;
}

export function nodeAt(root: TreeNode, path: Path): TreeNode | undefined {
  let node: TreeNode | undefined = root;
  for (const part of path) node = node && child(node, part);
  return node;
}

/** Where to point for a path: the value, or the nearest ancestor's key when it is missing. */
export function spanOfValue(root: TreeNode, path: Path): Span {
  const node = nodeAt(root, path);
  if (node?.kind === "scalar" && node.span.end > node.span.start) return node.span;
  return spanOfKey(root, path);
}

/** The key that holds the path's value; for an item of a list, the item (a mapping: its first key). */
export function spanOfKey(root: TreeNode, path: Path): Span {
  if (path.length === 0) return firstLine(root);
  const parent = nodeAt(root, path.slice(0, -1));
  const last = path.at(-1) as string | number;
  if (parent?.kind === "map") {
    const entry = parent.entries.get(String(last));
    if (entry) return entry.keySpan;
  }
  const item = parent?.kind === "seq" ? parent.items[Number(last)] : undefined;
  if (item) return firstLine(item);
  return spanOfKey(root, path.slice(0, -1));
}

function firstLine(node: TreeNode): Span {
  if (node.kind === "map") {
    const first = node.entries.values().next().value;
    if (first) return first.keySpan;
  }
  return node.kind === "scalar" ? node.span : { ...node.span, end: node.span.start + 1 };
}

/** Takes a value out of the tree. False when nothing is there. */
export function removeAt(root: TreeNode, path: Path): boolean {
  const parent = nodeAt(root, path.slice(0, -1));
  const last = path.at(-1);
  if (parent === undefined || last === undefined) return false;
  if (parent.kind === "map") return parent.entries.delete(String(last));
  if (parent.kind !== "seq" || Number(last) >= parent.items.length) return false;
  parent.items.splice(Number(last), 1);
  return true;
}

/** A copy that can be cut without harming the original. */
export function copyTree(node: TreeNode): TreeNode {
  if (node.kind === "scalar") return node;
  if (node.kind === "seq") return { ...node, items: node.items.map(copyTree) };
  const entries = new Map<string, MapEntry>();
  for (const [key, entry] of node.entries) entries.set(key, { ...entry, value: copyTree(entry.value) });
  return { ...node, entries };
}

/** Plain data for the schemas. */
export function toValue(node: TreeNode, path: Path = []): unknown {
  if (node.kind === "scalar") return node.value;
  const asText = isText(path);
  const valueOf = (item: TreeNode, part: string | number) =>
    asText && item.kind === "scalar" && item.value !== null ? item.text : toValue(item, [...path, part]);
  if (node.kind === "seq") return node.items.map(valueOf);
  const value: Record<string, unknown> = {};
  for (const entry of node.entries.values()) value[entry.key] = valueOf(entry.value, entry.key);
  return value;
}
