/** Merges two commits without a working tree, and says of each path that conflicts what Git found: git-merge-tree(1). */
import type { RunGit } from "../processes/run-git.ts";
import type { CombinedPlace } from "./combined-objects.ts";

export interface ConflictSide {
  /** As in a tree, such as `100644`. */
  mode: string;
  oid: string;
}

export interface ConflictingPath {
  path: string;
  /** Whether its bytes are UTF-8: otherwise `path` is only for showing. */
  isText: boolean;
  base: ConflictSide | null;
  ours: ConflictSide | null;
  theirs: ConflictSide | null;
  /** Git's stable short names of what it says about the path, such as `CONFLICT (contents)`. */
  types: string[];
}

/** `tree`: of what was merged, with markers where text conflicts. By path; empty where nothing conflicts. */
export interface MergedTree {
  tree: string;
  conflicts: ConflictingPath[];
}

const timeoutMs = 300_000;
const maxOutputBytes = 64 * 1024 * 1024;

/** Throws `GitError`, and the signal's reason. New objects go to where the environment says. */
export async function listConflicts(
  runGit: RunGit,
  place: CombinedPlace,
  { ours, theirs }: { ours: string; theirs: string },
): Promise<MergedTree> {
  const { stdout } = await runGit({
    ...place,
    args: ["-c", "merge.renameLimit=1000", "merge-tree", "--write-tree", "-z", "--messages", ours, theirs],
    acceptExitCodes: [0, 1],
    yields: true,
    timeoutMs,
    maxOutputBytes,
  });
  return parseMergeTree(stdout);
}

/** The tree, entries up to an empty field, then messages: how many paths, these, a type, a text. */
export function parseMergeTree(output: Buffer): MergedTree {
  const fields = output.toString("latin1").split("\0");
  const [tree = ""] = fields;
  const conflicts = new Map<string, ConflictingPath>();
  let at = 1;
  for (; at < fields.length && fields[at] !== ""; at += 1) addEntry(conflicts, fields[at]!);
  at += 1;
  while (at < fields.length - 1) {
    const count = Number(fields[at]);
    if (!Number.isSafeInteger(count) || count < 0) throw new Error("git merge-tree says something unknown");
    const type = fields[at + 1 + count] ?? "";
    for (const path of fields.slice(at + 1, at + 1 + count)) conflicts.get(path)?.types.push(type);
    at += count + 3;
  }
  const byPath = [...conflicts].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { tree, conflicts: byPath.map(([, conflict]) => conflict) };
}

const entry = /^(?<mode>[0-7]{6}) (?<oid>[0-9a-f]{40}) (?<stage>[123])\t(?<path>.+)$/s;
const sides = { "1": "base", "2": "ours", "3": "theirs" } as const;

function addEntry(conflicts: Map<string, ConflictingPath>, field: string): void {
  const found = entry.exec(field)?.groups;
  if (!found) throw new Error("git merge-tree lists something unknown");
  const { mode = "", oid = "", stage, path: raw = "" } = found;
  const known = conflicts.get(raw) ?? none(raw);
  known[sides[stage as keyof typeof sides]] = { mode, oid };
  conflicts.set(raw, known);
}

function none(raw: string): ConflictingPath {
  const bytes = Buffer.from(raw, "latin1");
  const path = bytes.toString("utf8");
  const isText = Buffer.from(path, "utf8").equals(bytes);
  return { path, isText, base: null, ours: null, theirs: null, types: [] };
}
