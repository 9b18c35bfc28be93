/** Jobs of GitLab with all that they take from elsewhere: `extends`, `default`, `!reference`, the older global keys. */
import { limits } from "../../limits.ts";
import type { MapEntry, MapNode, SeqNode, TreeNode } from "../../tree.ts";
import { child, entries, isTrue, textOfNode, texts } from "../nodes.ts";
import type { Trace } from "../trace.ts";

export interface Resolver {
  /** A job with everything in it; the same for the same name. */
  job(name: string): MapNode;
  /** Names of parents that are not in this file. */
  missing(name: string): readonly string[];
}

/** Keys of `default` and of the top level that jobs inherit. */
const inherited =
  "after_script artifacts before_script cache hooks id_tokens image interruptible retry services tags timeout".split(
    " ",
  );
/** As in GitLab. */
const maxDepth = 11;

export function createResolver(root: MapNode, trace: Trace): Resolver {
  const resolved = new Map<string, MapNode>();
  const lost = new Map<string, string[]>();
  let copied = 0;

  function extended(name: string, depth: number): MapNode | null {
    const known = resolved.get(name);
    if (known !== undefined) return known;
    const own = root.entries.get(name)?.value;
    if (own?.kind !== "map" || depth > maxDepth) return null;
    let merged: MapNode = { kind: "map", span: own.span, entries: new Map() };
    for (const parent of texts(child(own, "extends"))) {
      const found = extended(parent, depth + 1);
      if (found === null) lost.set(name, [...(lost.get(name) ?? []), parent]);
      else {
        merged = merge(merged, found);
        lost.set(name, [...(lost.get(name) ?? []), ...(lost.get(parent) ?? [])]);
      }
    }
    merged = merge(merged, own);
    merged.entries.delete("extends");
    resolved.set(name, merged);
    return merged;
  }

  function followed(node: TreeNode, depth: number): TreeNode {
    copied += 1;
    if (copied > limits.yamlNodes * 5) return { kind: "scalar", span: node.span, value: null, text: "" };
    if (node.kind === "map") {
      const copy = new Map<string, MapEntry>();
      for (const entry of node.entries.values())
        copy.set(entry.key, { ...entry, value: followed(entry.value, depth) });
      return { ...node, entries: copy };
    }
    if (node.kind === "scalar") return node;
    return node.isReference
      ? reference(node, depth)
      : { ...node, items: node.items.map((item) => followed(item, depth)) };
  }

  function reference(node: SeqNode, depth: number): TreeNode {
    const [name = "", ...path] = texts(node);
    let found: TreeNode | undefined = extended(name, 0) ?? root.entries.get(name)?.value;
    for (const part of path) found = child(found, part);
    if (found !== undefined && depth < maxDepth) return followed(found, depth + 1);
    trace.note(node.span, ["jobs"], {
      construct: "!reference",
      message: `[${[name, ...path].join(", ")}] is not in this file`,
      suggestion: "copy what it stands for into the job",
    });
    return { kind: "seq", span: node.span, items: [] };
  }

  const done = new Map<string, MapNode>();
  return {
    job(name) {
      const known = done.get(name);
      if (known) return known;
      const own = extended(name, 0) ?? { kind: "map", span: { start: 0, end: 0 }, entries: new Map() };
      const job = followed(withDefaults(own, root), 0) as MapNode;
      done.set(name, job);
      return job;
    },
    missing: (name) => [...new Set(lost.get(name))],
  };
}

/** Mappings are merged at every depth; everything else of `over` takes the place of what was there. */
function merge(under: MapNode, over: MapNode): MapNode {
  const merged = new Map(under.entries);
  for (const entry of over.entries.values()) {
    const before = merged.get(entry.key);
    const value =
      before?.value.kind === "map" && entry.value.kind === "map"
        ? merge(before.value, entry.value)
        : entry.value;
    merged.set(entry.key, { ...entry, value });
  }
  return { ...over, entries: merged };
}

function withDefaults(job: MapNode, root: MapNode): MapNode {
  const wanted = child(child(job, "inherit"), "default");
  if (textOfNode(wanted) === "false") return job;
  const allowed = wanted?.kind === "seq" ? texts(wanted) : inherited;
  const defaults = root.entries.get("default")?.value;
  const added = new Map(job.entries);
  for (const key of inherited) {
    if (added.has(key) || !allowed.includes(key)) continue;
    const entry = entries(defaults).find((each) => each.key === key) ?? root.entries.get(key);
    if (entry) added.set(key, entry);
  }
  return { ...job, entries: added };
}

/** Whether the job takes variables of the top level. */
export function inheritsVariables(job: MapNode): boolean {
  const wanted = child(child(job, "inherit"), "variables");
  return wanted === undefined || wanted.kind === "seq" || isTrue(wanted);
}
