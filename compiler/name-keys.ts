/**
 * Jobs and services whose names are no ids. The name is reported, and in the tree an id stands for it, so that what is wrong inside
 * is found as well; the ids are those that the hints propose.
 */
import { FileId, idPattern } from "@forgeline/schemas/pipeline-file/file-values.ts";
import type { Report } from "./report.ts";
import { quote } from "./suggest.ts";
import { child, copyTree, type MapEntry, type TreeNode } from "./tree.ts";

/** A copy where a name is replaced; otherwise the same tree. Names of which no id can be made stay as they are. */
export function withIds(root: TreeNode, report: Report): TreeNode {
  if (mapsOfNames(root).every((map) => [...map.keys()].every(isId))) return root;
  const tree = copyTree(root);
  for (const map of mapsOfNames(tree)) {
    const entries = [...map.entries()];
    map.clear();
    for (const [key, entry] of entries) {
      const id = isId(key) ? key : freeId(key, new Set([...map.keys(), ...entries.map(([name]) => name)]));
      if (id !== key && id !== null) reportName(entry, id, report);
      map.set(id ?? key, { ...entry, key: id ?? key });
    }
  }
  return tree;
}

const isId = (key: string): boolean => idPattern.test(key);

function mapsOfNames(root: TreeNode): Map<string, MapEntry>[] {
  const jobs = entriesOf(child(root, "jobs"));
  const services = [...jobs.values()].map(({ value }) => entriesOf(child(value, "services")));
  return [jobs, entriesOf(child(root, "services")), ...services].filter(({ size }) => size > 0);
}

function entriesOf(node: TreeNode | undefined): Map<string, MapEntry> {
  return node?.kind === "map" ? node.entries : new Map();
}

function freeId(name: string, used: ReadonlySet<string>): string | null {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "-")
    .replace(/^[-_]+|-+$/g, "")
    .slice(0, 60);
  if (!isId(plain)) return null;
  for (let n = 1; n < 100; n += 1) {
    const id = n === 1 ? plain : `${plain}-${n}`;
    if (!used.has(id)) return id;
  }
  return null;
}

function reportName({ key, keySpan }: MapEntry, id: string, report: Report): void {
  const expected = FileId.safeParse(key).error?.issues[0]?.message ?? "an id";
  report.add("P103", keySpan, { message: `${quote(key)} must be ${expected}`, hint: `for example ${id}` });
}
