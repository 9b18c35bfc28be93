/**
 * The first paths that differ between two trees. Git itself collects all of them before it says the first, and a few
 * kilobytes of directories that contain each other many times over hold more files than any memory.
 */
import type { ReadTree } from "../objects/edit-tree.ts";
import { parseTree, type TreeEntry } from "../objects/tree.ts";

export interface ChangedEntries {
  /** In Git's order; incomplete when there are more. */
  paths: string[];
  more: boolean;
}

export interface EntryLimits {
  paths: number;
  /** Directories that are read. */
  trees: number;
}

/** Ids of trees; null for none. */
export async function changedEntries(
  readTree: ReadTree,
  { before, after }: { before: string | null; after: string | null },
  limits: EntryLimits,
): Promise<ChangedEntries> {
  const paths: string[] = [];
  let reads = 0;
  const full = () => paths.length > limits.paths || reads > limits.trees;

  async function entriesOf(oid: string | null): Promise<Map<string, TreeEntry>> {
    if (oid === null) return new Map();
    reads += 1;
    return new Map(parseTree(await readTree(oid)).map((entry) => [entry.name, entry]));
  }

  async function walk(one: string | null, other: string | null, prefix: string): Promise<void> {
    const [left, right] = [await entriesOf(one), await entriesOf(other)];
    for (const name of new Set([...left.keys(), ...right.keys()])) {
      if (full()) return;
      const [from, to] = [left.get(name), right.get(name)];
      if (from?.oid === to?.oid && from?.type === to?.type && from?.executable === to?.executable) continue;
      const path = `${prefix}${name}`;
      if ((from && from.type !== "directory") || (to && to.type !== "directory")) paths.push(path);
      const below = (entry: TreeEntry | undefined) => (entry?.type === "directory" ? entry.oid : null);
      if (below(from) !== null || below(to) !== null) await walk(below(from), below(to), `${path}/`);
    }
  }

  await walk(before, after, "");
  return { paths: paths.slice(0, limits.paths), more: full() };
}
