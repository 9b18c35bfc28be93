/** Finds what is at a path of a commit, without following symbolic links or entering submodules. */
import type { RepositoryFiles } from "../storage/repository-files.ts";
import type { TreeEntry } from "./tree.ts";

export type FoundEntry =
  | { kind: "entry"; entry: TreeEntry }
  /** A parent on the path is not a directory, but a file, link or submodule. */
  | { kind: "blocked"; path: string; entry: TreeEntry }
  | { kind: "absent" };

/** `sha` is a full commit id; the path's parts are looked up one by one. */
export async function findEntry(
  files: Pick<RepositoryFiles, "listDirectory">,
  { repositoryId, sha, path }: { repositoryId: string; sha: string; path: string },
): Promise<FoundEntry> {
  const parts = path.split("/");
  for (const [index, name] of parts.entries()) {
    const parent = parts.slice(0, index).join("/");
    const entries = await files.listDirectory(repositoryId, sha, parent);
    const entry = entries?.find((candidate) => candidate.name === name);
    if (!entry) return { kind: "absent" };
    if (index === parts.length - 1) return { kind: "entry", entry };
    if (entry.type !== "directory")
      return { kind: "blocked", path: [parent, name].filter(Boolean).join("/"), entry };
  }
  return { kind: "absent" };
}
