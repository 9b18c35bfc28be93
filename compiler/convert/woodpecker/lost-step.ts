/** Steps that cannot run here, such as plugins: each becomes a step that fails, since a run without it must not look done. */
import { stringify } from "yaml";
import type { Span } from "../../source.ts";
import type { TreeNode } from "../../tree.ts";
import { plainTitle } from "../names.ts";
import { child, textOfNode } from "../nodes.ts";
import { placeholder } from "../placeholder.ts";
import { present, type Plain, type PlainMap } from "../plain.ts";
import type { Section } from "../trace.ts";

interface LostStep {
  name: string;
  span: Span;
  section: Section;
  isDetached: boolean;
  /** What is carried over of it all the same. */
  kept: PlainMap;
}

/** A step in its place, with a note that has all that is needed to write it anew. */
export function lostStep({ name, span, section, isDetached, kept }: LostStep): PlainMap {
  const image = textOfNode(child(section.node, "image")) ?? "without a name";
  const what = isDetached
    ? `the step ${name} cannot run beside those after it`
    : `the plugin ${image} is not run`;
  section.trace.note(span, section.at, {
    construct: isDetached ? "steps.*.detach" : "steps.*.settings",
    message: `${what}, so this step fails`,
    suggestion: `${isDetached ? "write it as a service of the job" : "write what it does as run, secrets among its settings as secrets"}${givenTo(section)}`,
  });
  const { run } = placeholder(isDetached ? `The step ${name}` : `The plugin ${image}`);
  return present({ name: plainTitle(name), ...kept, run: run ?? null });
}

/** What it was given and its condition, as they stood there. */
function givenTo(section: Section): string {
  const given = ["settings", "environment", "entrypoint", "when"].flatMap((key) => {
    const node = child(section.node, key);
    return node === undefined ? [] : [`${key}: ${shown(node)}`];
  });
  return given.length === 0 ? "" : `; it had ${given.join("; ")}`;
}

const maxShown = 1000;

function shown(node: TreeNode): string {
  const text = stringify(plainOf(node), {
    collectionStyle: "flow",
    lineWidth: 0,
    flowCollectionPadding: false,
  }).trim();
  return text.length > maxShown ? `${text.slice(0, maxShown - 1)}…` : text;
}

function plainOf(node: TreeNode): Plain {
  if (node.kind === "seq") return node.items.map(plainOf);
  if (node.kind === "scalar") return node.value;
  return Object.fromEntries([...node.entries.values()].map(({ key, value }) => [key, plainOf(value)]));
}
