/** Finds files and directories of a repository by ref and path, and reads them. */
import type { GitObject } from "../../../platform/git/processes/cat-file-process.ts";
import { isObjectId } from "../../../platform/git/refs/names.ts";
import { findEntry } from "../../../platform/git/objects/find-entry.ts";
import type { RepositoryFiles } from "../../../platform/git/storage/repository-files.ts";
import type { TreeEntry } from "../../../platform/git/objects/tree.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { CommitService } from "../commits/service.ts";
import type { RepositoryRef } from "../../policy/domain.ts";

export interface FoundContents {
  /** As it was requested, or the default branch. */
  ref: string;
  /** Of the commit. */
  sha: string;
  path: string;
  /** undefined for the top directory. */
  entry: TreeEntry | undefined;
}

export interface ContentsReader {
  /** Throws `not_found` for an unknown ref or path. Symbolic links are found, never followed. */
  find(repository: RepositoryRef, ref: string | undefined, path: string): Promise<FoundContents>;
  /** As `find`, where the beginning of `path` may belong to the ref: the shortest ref that exists counts. */
  locate(repository: RepositoryRef, ref: string, path: string): Promise<FoundContents>;
  /** Entries of a directory that was found, folders first, then by name. */
  list(repository: RepositoryRef, found: FoundContents): Promise<TreeEntry[]>;
  /** An object that was found; `bytes` is null past the limit. */
  read(repository: RepositoryRef, oid: string, maxBytes: number): Promise<GitObject>;
}

/** How many slashes a ref may have if they are not encoded. */
const maxRefParts = 20;

export function createContentsReader(deps: {
  files: RepositoryFiles;
  commits: Pick<CommitService, "resolve">;
}): ContentsReader {
  const { files, commits } = deps;

  async function at(repository: RepositoryRef, place: { ref: string; sha: string; path: string }) {
    if (place.path === "") return { ...place, entry: undefined };
    const found = await findEntry(files, { repositoryId: repository.id, sha: place.sha, path: place.path });
    if (found.kind !== "entry") throw new AppError("not_found");
    return { ...place, entry: found.entry };
  }

  return {
    async find(repository, ref, path) {
      const { sha } = await commits.resolve(repository, ref);
      return at(repository, { ref: ref ?? repository.defaultBranch, sha, path });
    },
    async locate(repository, ref, path) {
      const parts = path.split("/");
      for (let taken = 0; taken < Math.min(parts.length, maxRefParts); taken += 1) {
        const name = [ref, ...parts.slice(0, taken)].join("/");
        // Heads of merge requests from forks are on no branch, but everybody may read them by their id.
        const resolved = isObjectId(name)
          ? await unlessMissing(commits.resolve(repository, name))
          : await files.resolveRef(repository.id, name);
        if (resolved)
          return at(repository, { ref: name, sha: resolved.sha, path: parts.slice(taken).join("/") });
      }
      throw new AppError("not_found");
    },
    async list(repository, found) {
      const entries = await files.listDirectory(repository.id, found.sha, found.path);
      if (!entries) throw new AppError("not_found");
      const rank = (entry: TreeEntry) => (entry.type === "directory" ? 0 : 1);
      const before = (one: string, other: string) => (one < other ? -1 : 1);
      return entries.sort((one, other) => rank(one) - rank(other) || before(one.name, other.name));
    },
    async read(repository, oid, maxBytes) {
      const object = await files.readObject(repository.id, oid, maxBytes);
      if (!object) throw new AppError("not_found");
      return object;
    },
  };
}

/** Undefined for `not_found`: the beginning of a branch's name may read like the id of a commit. */
async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  }
}
