/**
 * Which files differ between two trees, with both sides of each. Git itself collects all of them before it says the first,
 * and a few kilobytes of directories that contain each other many times over hold more files than any memory.
 */
import { parseTree, type TreeEntry } from "../objects/tree.ts";

export interface FileSide {
  oid: string;
  /** Six octal digits. */
  mode: string;
  kind: "file" | "symlink" | "submodule";
}

/** One side is null where there is no file. */
export interface FileDifference {
  path: string;
  before: FileSide | null;
  after: FileSide | null;
}

export interface TreeDifference {
  /** By path. */
  files: FileDifference[];
  /** There are more than the limits let through. */
  more: boolean;
}

export interface TreeObjects {
  sizeOf(oid: string): Promise<number>;
  read(oid: string): Promise<Buffer>;
}

export interface DifferenceLimits {
  files: number;
  /** Directories that are read, or wait for it. */
  trees: number;
  /** Of all directories that are read. */
  treeBytes: number;
  /** Of all paths together. */
  pathLength: number;
}

/** A directory that differs: its path with a slash at the end, and its tree on either side. */
interface Pending {
  prefix: string;
  before: string | null;
  after: string | null;
}

/** Directories that are asked for at once, and the bytes of them that are in memory at once (but always one). */
const atOnce = { directories: 32, bytes: 4 * 1024 * 1024 };
/** As `isTreePath`: what is deeper can be read by nobody. */
const maxPathLength = 4096;

/** Ids of trees; null for none. */
export async function treeDifference(
  trees: TreeObjects,
  { before, after }: { before: string | null; after: string | null },
  limits: DifferenceLimits,
): Promise<TreeDifference> {
  const found = createCollection(limits);
  let pending: Pending[] = before === after ? [] : [{ prefix: "", before, after }];
  let bytes = 0;
  const sizeOf = (oid: string | null) => (oid === null ? 0 : trees.sizeOf(oid));
  const entriesOf = async (oid: string | null) => (oid === null ? [] : parseTree(await trees.read(oid)));

  while (pending.length > 0 && !found.isFull()) {
    const next = pending.slice(0, atOnce.directories);
    const sizes = await Promise.all(
      next.map(async (one) => (await sizeOf(one.before)) + (await sizeOf(one.after))),
    );
    const count = countWithin(sizes, atOnce.bytes);
    bytes += sizes.slice(0, count).reduce((sum, size) => sum + size, 0);
    if (bytes > limits.treeBytes) return { files: found.sorted(), more: true };
    const read = await Promise.all(
      next.slice(0, count).map(async (one) => ({
        prefix: one.prefix,
        left: await entriesOf(one.before),
        right: await entriesOf(one.after),
      })),
    );
    const below = read.flatMap((directory) => found.add(directory));
    pending = below.concat(pending.slice(count));
  }
  return { files: found.sorted(), more: found.isFull() };
}

function countWithin(sizes: readonly number[], limit: number): number {
  let sum = 0;
  const past = sizes.findIndex((size) => (sum += size) > limit);
  return past < 0 ? sizes.length : Math.max(1, past);
}

interface ReadDirectory {
  prefix: string;
  left: readonly TreeEntry[];
  right: readonly TreeEntry[];
}

function createCollection(limits: DifferenceLimits) {
  const files: FileDifference[] = [];
  let directories = 0;
  let pathLength = 0;
  let full = false;

  function addOne(path: string, from: TreeEntry | undefined, to: TreeEntry | undefined): Pending[] {
    const [before, after] = [sideOf(from), sideOf(to)];
    const below = { prefix: `${path}/`, before: treeOf(from), after: treeOf(to) };
    const isDirectory = below.before !== null || below.after !== null;
    if (path.length > maxPathLength || (isDirectory && (directories += 1) > limits.trees)) {
      full = true;
      return [];
    }
    if (before || after) {
      pathLength += path.length;
      full = files.length >= limits.files || pathLength > limits.pathLength;
      if (!full) files.push({ path, before, after });
    }
    return isDirectory ? [below] : [];
  }

  return {
    /** Directories that differ in this one. */
    add({ prefix, left, right }: ReadDirectory): Pending[] {
      const [from, to] = [byName(left), byName(right)];
      const below: Pending[] = [];
      for (const name of new Set([...from.keys(), ...to.keys()])) {
        if (full) break;
        const [one, other] = [from.get(name), to.get(name)];
        if (one && other && isSame(one, other)) continue;
        below.push(...addOne(`${prefix}${name}`, one, other));
      }
      return below;
    },
    isFull: () => full,
    sorted: () => files.sort((one, other) => (one.path < other.path ? -1 : 1)),
  };
}

const byName = (entries: readonly TreeEntry[]) => new Map(entries.map((entry) => [entry.name, entry]));

function isSame(one: TreeEntry, other: TreeEntry): boolean {
  return one.oid === other.oid && one.type === other.type && one.executable === other.executable;
}

function treeOf(entry: TreeEntry | undefined): string | null {
  return entry?.type === "directory" ? entry.oid : null;
}

const modes = { symlink: "120000", submodule: "160000" };

function sideOf(entry: TreeEntry | undefined): FileSide | null {
  if (!entry || entry.type === "directory") return null;
  const { oid, type: kind, executable } = entry;
  if (kind !== "file") return { oid, kind, mode: modes[kind] };
  return { oid, kind, mode: executable ? "100755" : "100644" };
}
