/**
 * Writes the merge of two commits whose conflicts somebody has resolved: what Git merged by itself stays, and each path that
 * conflicted becomes what is given. New objects come into the repository only when that has succeeded.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { movePacks } from "../objects/move-packs.ts";
import { objectIdOf, packOf, type NewObject } from "../objects/pack.ts";
import { refuseObjects } from "../objects/write-commit.ts";
import { quarantineEnvironment } from "../objects/received-objects.ts";
import type { Git, RunGit } from "../processes/run-git.ts";
import type { SignCommit } from "../signatures/sign-commit.ts";
import type { CombinedPlace } from "./combined-objects.ts";
import { commitTree, type Person } from "./commit-tree.ts";
import { listConflicts, type ConflictSide, type ConflictingPath } from "./list-conflicts.ts";
import { zeroId } from "../refs/names.ts";
import { packMissing } from "./pack-missing.ts";

/** Bytes are written; a side is taken as it is; null: the path goes. */
export type ResolvedPath = { path: string } & (
  | { bytes: Buffer; executable: boolean }
  | { side: ConflictSide | null }
);

export interface ResolvedMerge {
  /** The commit that becomes the first parent, in which the result is seen. */
  ours: string;
  theirs: string;
  message: string;
  committer: Person;
  sign?: SignCommit | undefined;
  /** What each of the conflicts becomes. Throws where they are not those that were resolved. */
  resolve(conflicts: readonly ConflictingPath[]): Promise<readonly ResolvedPath[]> | readonly ResolvedPath[];
}

/** The commit. Moves no ref. Throws `ObjectsRefused`, `GitError`, the signal's reason, and what `resolve` throws. */
export async function resolveConflicts(
  git: Git,
  { directory, signal }: { directory: string; signal: AbortSignal },
  { ours, theirs, message, committer, sign, resolve }: ResolvedMerge,
): Promise<string> {
  const made = await mkdtemp(join(directory, "objects", "tmp_objdir-merge-"));
  try {
    const env = quarantineEnvironment({ directory, quarantine: made });
    const place = { directory, env, signal };
    const merged = await listConflicts(git.run, place, { ours, theirs });
    const resolved = await resolve(merged.conflicts);
    const index = join(made, "resolved-index");
    const tree = await treeOf(git.run, { place, index }, { tree: merged.tree, resolved });
    const parents = [ours, theirs];
    const written = { tree, parents, message, author: committer, committer, sign };
    const commit = await commitTree(place, written);
    const objects = { directory, env, tips: [commit], has: parents, quarantine: made, signal };
    await packMissing(git, objects).catch(refuseObjects);
    await movePacks(made, directory);
    return commit;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

async function treeOf(
  runGit: RunGit,
  { place, index }: { place: CombinedPlace; index: string },
  { tree, resolved }: { tree: string; resolved: readonly ResolvedPath[] },
): Promise<string> {
  const blobs = new Map<string, NewObject>();
  const entries = resolved.map((each) => {
    if (!("bytes" in each)) return entryOf(each.path, each.side);
    const blob: NewObject = { type: "blob", bytes: each.bytes };
    const oid = objectIdOf(blob);
    blobs.set(oid, blob);
    return entryOf(each.path, { mode: each.executable ? "100755" : "100644", oid });
  });
  if (blobs.size > 0)
    await runGit({ ...place, args: ["unpack-objects", "-q"], input: await packOf([...blobs.values()]) });
  const inIndex = { ...place, env: { ...place.env, GIT_INDEX_FILE: index } };
  await runGit({ ...inIndex, args: ["read-tree", tree] });
  await runGit({ ...inIndex, args: ["update-index", "-z", "--index-info"], input: entries.join("") });
  const { stdout } = await runGit({ ...inIndex, args: ["write-tree"] });
  return stdout.toString("latin1").trim();
}

/** As `git update-index --index-info` takes it; a mode of 0 removes the path. */
function entryOf(path: string, side: ConflictSide | null): string {
  return side ? `${side.mode} ${side.oid}\t${path}\0` : `0 ${zeroId}\t${path}\0`;
}
