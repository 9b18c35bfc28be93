/**
 * YAML nodes to the located tree: keys become text, aliases and merge keys (`<<`) are followed within a cap, duplicate
 * keys, tags and keys that could poison objects are refused.
 */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Document,
  type Pair,
  type ParsedNode,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { limits } from "./limits.ts";
import type { Report } from "./report.ts";
import type { Span } from "./source.ts";
import { quote } from "./suggest.ts";
import type { MapNode, ScalarNode, SeqNode, TreeNode } from "./tree.ts";

/** What files of other systems may have, and ours may not. */
export interface Dialect {
  /** `!reference [job, key]` of GitLab. */
  references: boolean;
  /** `- <<: *list` of Woodpecker stands for the items of that list. */
  mergesLists: boolean;
}
const ours: Dialect = { references: false, mergesLists: false };

interface Builder {
  dialect: Dialect;
  document: Document.Parsed<ParsedNode>;
  report: Report;
  aliasDepth: number;
  aliasedNodes: number;
  /** Text of all scalars, those behind aliases each time. */
  expandedChars: number;
  open: Set<unknown>;
  /** Set when going on makes no sense. */
  stopped: boolean;
  /** Set when a value is missing through a mistake: judging the rest would only repeat it. */
  broken: boolean;
}

/** null when the report holds why not. */
export function buildTree(
  document: Document.Parsed<ParsedNode>,
  report: Report,
  dialect = ours,
): TreeNode | null {
  const builder: Builder = {
    dialect,
    document,
    report,
    aliasDepth: 0,
    aliasedNodes: 0,
    expandedChars: 0,
    open: new Set(),
    stopped: false,
    broken: false,
  };
  const root = build(document.contents, builder);
  return builder.stopped || builder.broken ? null : root;
}

function spanOf(node: unknown): Span {
  const range = (node as { range?: [number, number, number] | null } | null)?.range;
  return range ? { start: range[0], end: range[1] } : { start: 0, end: 0 };
}

const nothing = (span: Span): ScalarNode => ({ kind: "scalar", span, value: null, text: "" });

function build(node: unknown, builder: Builder): TreeNode {
  const span = spanOf(node);
  if (builder.stopped) return nothing(span);
  if (builder.aliasDepth > 0) countAliased(builder, span);
  checkTag(node, builder, span);
  if (isAlias(node)) return buildAlias(node.source, span, builder);
  if (isMap(node)) return buildMap(node, span, builder);
  if (isSeq(node)) return buildSeq(node, span, builder);
  if (!isScalar(node)) return nothing(span);
  const scalar = buildScalar(node.value, node.source, span);
  builder.expandedChars += scalar.text.length;
  if (builder.expandedChars > limits.expandedChars) {
    builder.stopped = true;
    builder.report.add("P303", span, {
      message: `with its aliases expanded, the file is longer than ${limits.expandedChars} characters`,
    });
  }
  return scalar;
}

function buildSeq(node: YAMLSeq, span: Span, builder: Builder): SeqNode {
  const items = node.items.map((item) => build(item, builder));
  return node.tag === referenceTag
    ? { kind: "seq", span, items, isReference: true }
    : { kind: "seq", span, items };
}

function countAliased(builder: Builder, span: Span): void {
  builder.aliasedNodes += 1;
  if (builder.aliasedNodes <= limits.aliasedNodes) return;
  builder.stopped = true;
  builder.report.add("P303", span, { message: `aliases expand to more than ${limits.aliasedNodes} values` });
}

const referenceTag = "!reference";

function checkTag(node: unknown, builder: Builder, span: Span): void {
  const tag = (node as { tag?: string } | null)?.tag;
  if (
    tag === undefined ||
    isAlias(node) ||
    (builder.dialect.references && tag === referenceTag) ||
    /^(tag:yaml\.org,2002:|!!)(str|map|seq|int|float|bool|null)$/.test(tag)
  ) {
    return;
  }
  builder.report.add("P005", span, { message: `the tag ${quote(tag)} is not allowed`, hint: "leave it out" });
}

function buildScalar(value: unknown, source: string | undefined, span: Span): ScalarNode {
  const plain =
    typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null
      ? value
      : JSON.stringify(value);
  const text = typeof plain === "string" ? plain : (source ?? String(plain));
  return { kind: "scalar", span, value: plain, text };
}

function buildAlias(anchor: string, span: Span, builder: Builder): TreeNode {
  const target = findAnchor(anchor, span, builder);
  if (target === undefined || builder.open.has(target)) {
    builder.broken = true;
    builder.report.add("P006", span, {
      message: `no anchor ${quote(`&${anchor}`)} is defined before this alias`,
    });
    return nothing(span);
  }
  builder.aliasDepth += 1;
  builder.open.add(target);
  const built = build(target, builder);
  builder.open.delete(target);
  builder.aliasDepth -= 1;
  return built;
}

/** The last node before the alias that has the anchor. The list of anchors is made once a document. */
function findAnchor(anchor: string, before: Span, builder: Builder): unknown {
  let anchors = anchorsOf.get(builder.document);
  if (anchors === undefined) {
    anchors = collectAnchors(builder.document.contents);
    anchorsOf.set(builder.document, anchors);
  }
  return anchors.get(anchor)?.findLast((node) => spanOf(node).start < before.start);
}
const anchorsOf = new WeakMap<object, Map<string, unknown[]>>();

function collectAnchors(root: unknown): Map<string, unknown[]> {
  const anchors = new Map<string, unknown[]>();
  const visit = (node: unknown): void => {
    const anchor = (node as { anchor?: string } | null)?.anchor;
    if (anchor !== undefined) {
      const sameName = anchors.get(anchor);
      if (sameName) sameName.push(node);
      else anchors.set(anchor, [node]);
    }
    if (isMap(node)) {
      for (const pair of node.items) {
        visit(pair.key);
        visit(pair.value);
      }
    } else if (isSeq(node)) {
      for (const item of node.items) visit(item);
    }
  };
  visit(root);
  return anchors;
}

function buildMap(node: YAMLMap, span: Span, builder: Builder): MapNode | SeqNode {
  const map: MapNode = { kind: "map", span, entries: new Map() };
  const merges: unknown[] = [];
  for (const pair of node.items as Pair[]) {
    const keySpan = spanOf(pair.key);
    const key = keyText(pair.key, builder);
    if (key === null) continue;
    if (key === "<<") merges.push(pair.value);
    else if (map.entries.has(key)) {
      const message = `duplicate key ${quote(key)}`;
      builder.report.add("P002", keySpan, { message, hint: "keep one of them" });
    } else {
      const value = pair.value === null ? nothing(keySpan) : build(pair.value, builder);
      map.entries.set(key, { key, keySpan, value });
    }
  }
  for (const merge of merges) {
    const merged = build(merge, builder);
    if (builder.dialect.mergesLists && merged.kind === "seq" && map.entries.size === 0) return merged;
    mergeInto(map, { merged, span: spanOf(merge) }, builder);
  }
  return map;
}

function keyText(node: unknown, builder: Builder): string | null {
  const key = isScalar(node) ? buildScalar(node.value, node.source, spanOf(node)).text : null;
  if (key === null) builder.report.add("P004", spanOf(node), { message: "a key must be plain text" });
  else if (key === "__proto__")
    builder.report.add("P004", spanOf(node), { message: 'the key "__proto__" is not allowed' });
  else return key;
  return null;
}

/** Keys of the mapping itself win over merged ones; of several merged, the first. */
function mergeInto(map: MapNode, { merged, span }: { merged: TreeNode; span: Span }, builder: Builder): void {
  const sources = merged.kind === "seq" ? merged.items : [merged];
  for (const source of sources) {
    if (source.kind !== "map") {
      if (!builder.stopped) builder.report.add("P008", span, { message: "<< can only merge mappings" });
      return;
    }
    for (const [key, entry] of source.entries) {
      if (!map.entries.has(key)) map.entries.set(key, entry);
    }
  }
}
