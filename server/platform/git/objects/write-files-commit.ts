/** Makes a commit that replaces several files at once, as `write-commit.ts` does for one. */
import { editTree, type ReadTree } from "./edit-tree.ts";
import { objectIdOf, type NewObject } from "./pack.ts";
import { commitOf, type NewCommit } from "./write-commit.ts";

export interface FilesCommit extends Omit<NewCommit, "parent" | "path" | "file"> {
  parent: { sha: string; tree: string };
  files: readonly { path: string; bytes: Buffer; executable: boolean }[];
}

/** Nothing is written yet. */
export async function makeFilesCommit(
  readTree: ReadTree,
  commit: FilesCommit,
): Promise<{ sha: string; tree: string; objects: NewObject[] }> {
  const objects = new Map<string, NewObject>();
  const add = (object: NewObject) => {
    const oid = objectIdOf(object);
    objects.set(oid, object);
    return oid;
  };
  const read: ReadTree = async (oid) => objects.get(oid)?.bytes ?? readTree(oid);
  let tree = commit.parent.tree;
  for (const { path, bytes, executable } of commit.files) {
    const oid = add({ type: "blob", bytes });
    const entry = { mode: executable ? "100755" : "100644", oid };
    const edited = await editTree(read, tree, { path, entry });
    for (const each of edited.trees) add(each);
    tree = edited.oid;
  }
  const sha = add(await commitOf(commit, tree));
  return { sha, tree, objects: [...objects.values()] };
}
