/** The new file's text: keys in the order in which people read them, short lists on one line, comments where they belong. */
import {
  Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { Path } from "../path.ts";
import type { Plain, PlainMap } from "./plain.ts";
import type { PlacedNote } from "./trace.ts";

const order: readonly string[] = [
  ..."version stage name title id type description on event push merge_request tag schedule manual api".split(
    " ",
  ),
  ..."job image runner needs when approval concurrency timeout matrix max_parallel fail_fast".split(" "),
  ..."branch target paths paths_ignore status if".split(" "),
  ..."env secrets permissions services shell workdir clone cache parallel run defaults stages jobs steps".split(
    " ",
  ),
  ..."outputs artifacts reports retry allow_failure resources".split(" "),
];
/** Names that the author chose; they keep their order. */
const named: ReadonlySet<string> = new Set([
  "env",
  "jobs",
  "services",
  "outputs",
  "inputs",
  "matrix",
  "secrets",
]);

/** The text of a pipeline file with the notes as comments. */
export function writeFile(file: PlainMap, notes: readonly PlacedNote[], heading: string): string {
  const document = new Document(sorted(file, null) as PlainMap, {
    version: "1.2",
    schema: "core",
    aliasDuplicateObjects: false,
  });
  const root = document.contents as YAMLMap;
  tidy(root, "");
  const lost: PlacedNote[] = [];
  for (const note of notes) if (!place(root, note)) lost.push(note);
  document.commentBefore = [heading, ...lost.map(commentOf)].join("\n");
  for (const key of ["jobs", "stages", "on"]) spaceBefore(root, key);
  const jobs = root.get("jobs");
  if (isMap(jobs)) for (const pair of jobs.items.slice(1)) (pair.key as Scalar).spaceBefore = true;
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function spaceBefore(root: YAMLMap, key: string): void {
  const pair = root.items.find((item) => isScalar(item.key) && item.key.value === key);
  if (pair) (pair.key as Scalar).spaceBefore = true;
}

function sorted(value: Plain, key: string | null): Plain {
  if (Array.isArray(value)) return value.map((item) => sorted(item, null));
  if (value === null || typeof value !== "object") return value;
  const keys = Object.keys(value);
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  if (key === null || !named.has(key)) keys.sort((a, b) => rank(a) - rank(b));
  return Object.fromEntries(
    keys.map((name) => [name, sorted(value[name] as Plain, named.has(key ?? "") ? null : name)]),
  );
}

/** Short lists of plain values, and the mappings in short lists, stand on one line; scripts in blocks. */
function tidy(node: unknown, key: string): void {
  if (isScalar(node) && typeof node.value === "string" && node.value.includes("\n"))
    node.type = "BLOCK_LITERAL";
  if (isSeq(node)) {
    for (const item of node.items) tidy(item, key === "needs" ? "need" : "");
    const short = node.items.every(
      (item) => (isScalar(item) && key !== "steps") || (isMap(item) && item.flow),
    );
    if (short && JSON.stringify(node).length < 90 && !JSON.stringify(node).includes("\\n")) node.flow = true;
  }
  if (!isMap(node)) return;
  for (const pair of node.items) tidy(pair.value, isScalar(pair.key) ? String(pair.key.value) : "");
  const plain = node.items.every(({ value }) => isScalar(value) || (isSeq(value) && value.flow));
  if ((key === "need" || key === "when") && plain && JSON.stringify(node).length < 90) node.flow = true;
}

const width = 100;
/** Control characters would end a comment early. */
function commentOf({ line, construct, message, suggestion }: PlacedNote): string {
  const text = `CHECK line ${line}, ${construct}: ${message}.${suggestion === null ? "" : ` To do: ${suggestion}.`}`;
  const lines: string[] = [];
  let current = "";
  for (const word of text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").split(" ")) {
    if (current !== "" && current.length + word.length >= width) {
      lines.push(current);
      current = `  ${word}`;
    } else current = current === "" ? word : `${current} ${word}`;
  }
  return [...lines, current].map((each) => ` ${each}`).join("\n");
}

/** Before the key or item of the path, or of the nearest parent that exists. False: there is none. */
function place(root: YAMLMap, note: PlacedNote): boolean {
  let parent: Node = root;
  let target: Node | null = null;
  for (const part of note.at) {
    const next = step(parent, part);
    if (next === null) return end(parent, note) || before(target, note);
    target = next.key;
    if (next.value === null) break;
    parent = next.value;
  }
  return before(target, note);
}

function step(node: Node, part: Path[number]): { key: Node; value: Node | null } | null {
  if (isMap(node)) {
    const pair = (node as YAMLMap).items.find(({ key }) => isScalar(key) && key.value === part) as
      | Pair<Node, Node>
      | undefined;
    return pair ? { key: pair.key, value: pair.value } : null;
  }
  const item = isSeq(node) ? ((node as YAMLSeq).items[Number(part)] as Node | undefined) : undefined;
  return item ? { key: item, value: item } : null;
}

/** Of a list that has fewer items. */
function end(node: Node, note: PlacedNote): boolean {
  if (!isSeq(node) || node.flow) return false;
  node.comment = [node.comment, commentOf(note)].filter(Boolean).join("\n");
  return true;
}

function before(target: Node | null, note: PlacedNote): boolean {
  if (target === null) return false;
  target.commentBefore = [target.commentBefore, commentOf(note)].filter(Boolean).join("\n");
  return true;
}
