/** Changes one path of a tree by rewriting the directories on the path; nothing else of the tree is read. */
import { objectIdOf, type NewObject } from "./pack.ts";

export interface TreeChange {
  path: string;
  /** The new entry; null removes it, and directories that become empty. */
  entry: { mode: string; oid: string } | null;
}

/** The bytes of a tree that is there, by its id. */
export type ReadTree = (oid: string) => Promise<Buffer>;

export interface EditedTree {
  /** Of the new root. */
  oid: string;
  trees: NewObject[];
}

interface RawEntry {
  mode: string;
  /** As they are: not every name is text. */
  name: Buffer;
  oid: string;
}

const directoryMode = "40000";

/** `root` is null for a repository without commits. Parents on the path must be directories, or absent. */
export async function editTree(
  readTree: ReadTree,
  root: string | null,
  change: TreeChange,
): Promise<EditedTree> {
  const parts = change.path.split("/").map((part) => Buffer.from(part, "utf8"));
  const levels: RawEntry[][] = [];
  let oid: string | undefined = root ?? undefined;
  for (const part of parts) {
    const entries: RawEntry[] = oid === undefined ? [] : parseEntries(await readTree(oid));
    levels.push(entries);
    const below = entries.find((entry) => entry.name.equals(part));
    oid = below?.mode === directoryMode ? below.oid : undefined;
  }
  const trees: NewObject[] = [];
  let entry = change.entry;
  for (const [index, entries] of [...levels.entries()].reverse()) {
    const kept = replaced(entries, parts[index]!, entry);
    const tree: NewObject = { type: "tree", bytes: Buffer.concat(kept.map(formatEntry)) };
    const isNeeded = index === 0 || kept.length > 0;
    if (isNeeded) trees.push(tree);
    entry = isNeeded ? { mode: directoryMode, oid: objectIdOf(tree) } : null;
  }
  return { oid: entry!.oid, trees };
}

function replaced(entries: readonly RawEntry[], name: Buffer, entry: TreeChange["entry"]): RawEntry[] {
  const others = entries.filter((other) => !other.name.equals(name));
  if (!entry) return others;
  return [...others, { ...entry, name }].sort((one, other) => Buffer.compare(sortKey(one), sortKey(other)));
}

/** Git sorts directories as if their names ended with a slash. */
function sortKey({ mode, name }: RawEntry): Buffer {
  return mode === directoryMode ? Buffer.concat([name, Buffer.from("/")]) : name;
}

function formatEntry({ mode, name, oid }: RawEntry): Buffer {
  return Buffer.concat([Buffer.from(`${mode} `), name, Buffer.from([0]), Buffer.from(oid, "hex")]);
}

function parseEntries(bytes: Buffer): RawEntry[] {
  const entries: RawEntry[] = [];
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, space);
    if (space < 0 || end < 0 || end + 21 > bytes.length) throw new Error("a tree object is cut off");
    entries.push({
      mode: bytes.toString("latin1", at, space),
      name: bytes.subarray(space + 1, end),
      oid: bytes.toString("hex", end + 1, end + 21),
    });
    at = end + 21;
  }
  return entries;
}
