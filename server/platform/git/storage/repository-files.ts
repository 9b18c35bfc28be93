/**
 * Reads what is in a repository: files, directories, refs, commits. Everything is named by repository id and
 * full commit id; names that users give (branch, tag, commit) go through `resolveRef` first.
 */
import type { CatFilePool } from "../processes/cat-file.ts";
import type { GitObject } from "../processes/cat-file-process.ts";
import { changedPathsBetween, type RefChange, type TreeSource } from "../history/changed-paths.ts";
import { parseCommit, type CommitInfo } from "../objects/commit.ts";
import {
  isObjectId,
  isSafeRefName,
  keptRefs,
  mergeQueueRefs,
  mergeRequestRefs,
  zeroId,
} from "../refs/names.ts";
import { readRefs } from "../refs/refs.ts";
import type { RunGit } from "../processes/run-git.ts";
import type { RepositoryStorage } from "./storage.ts";
import { isTreePath, parseTree, type TreeEntry } from "../objects/tree.ts";

export interface FileContent {
  /** Id of the blob. */
  oid: string;
  sizeBytes: number;
  /** null when the file is larger than asked for. */
  bytes: Buffer | null;
}

export interface ResolvedRef {
  /** Full name, for example `refs/heads/main`. For a commit id: a branch or tag that contains it. */
  ref: string;
  /** Full id of the commit; tags are peeled. */
  sha: string;
}

export interface CommitObject {
  info: CommitInfo;
  bytes: Buffer;
}

export interface RepositoryFiles {
  /** undefined when the path is absent, or no file. A symbolic link gives its text. */
  readFile(
    repositoryId: string,
    file: { sha: string; path: string; maxBytes: number },
  ): Promise<FileContent | undefined>;
  /** Any object, by an id that a readable commit or directory gave; what `maxBytes` of 0 gives is type and size. */
  readObject(repositoryId: string, oid: string, maxBytes: number): Promise<GitObject | undefined>;
  /** A directory as it is stored, by such an id. Throws when it does not exist or is larger than 32 MiB. */
  readTree(repositoryId: string, oid: string): Promise<Buffer>;
  /** Entries by name; `""` is the root. undefined when the path is absent, or no directory. */
  listDirectory(repositoryId: string, sha: string, path: string): Promise<TreeEntry[] | undefined>;
  /**
   * A branch, a tag, a full ref name, or a full commit id that some branch or tag contains. Refs that only the server
   * reads are as absent.
   */
  resolveRef(repositoryId: string, refOrSha: string): Promise<ResolvedRef | undefined>;
  /** A full commit id that no branch or tag contains any more, but that is still kept after a sync. */
  resolveKept(repositoryId: string, sha: string): Promise<ResolvedRef | undefined>;
  /**
   * A full commit id that no branch or tag contains, but the head of a merge request does, or what a merge queue tests; both may be
   * fetched by everyone.
   */
  resolveProposed(repositoryId: string, sha: string): Promise<ResolvedRef | undefined>;
  commitInfo(repositoryId: string, sha: string): Promise<CommitInfo | undefined>;
  /** As `commitInfo`, with the object itself, which a signature is about. */
  commitObject(repositoryId: string, sha: string): Promise<CommitObject | undefined>;
  /**
   * Paths that a push changed: before..after; for a new branch or a force push against the merge base with the
   * default branch. null when there are more than `limit` or when they cannot be told, or not `cheaply` where that is asked.
   */
  changedPaths(repositoryId: string, change: RefChange, limit: number): Promise<string[] | null>;
}

export interface RepositoryFilesDeps {
  storage: RepositoryStorage;
  runGit: RunGit;
  catFiles: CatFilePool;
}

export function createRepositoryFiles({ storage, runGit, catFiles }: RepositoryFilesDeps): RepositoryFiles {
  const object = (repositoryId: string, name: string, maxBytes: number) =>
    catFiles.read(storage.directory(repositoryId), name, maxBytes);

  async function isThere(repositoryId: string, ref: string): Promise<boolean> {
    const refs = await readRefs(runGit, storage.directory(repositoryId), [ref]);
    return refs.get(ref) !== zeroId;
  }

  async function commitOf(repositoryId: string, ref: string): Promise<ResolvedRef | undefined> {
    const found = await object(repositoryId, `${ref}^{commit}`, 0);
    if (!found || (describesCommit.test(ref) && !(await isThere(repositoryId, ref)))) return undefined;
    return { ref, sha: found.oid };
  }

  async function refContaining(
    repositoryId: string,
    sha: string,
    places: readonly string[] = ["refs/heads", "refs/tags"],
  ): Promise<ResolvedRef | undefined> {
    // Git would take the id of a tag for the commit that it was put on, also when the tag is gone.
    if ((await object(repositoryId, sha, 0))?.type !== "commit") return undefined;
    const result = await runGit({
      directory: storage.directory(repositoryId),
      args: ["for-each-ref", "--count=1", "--format=%(refname)", `--contains=${sha}`, ...places],
      acceptExitCodes: [0, 129, 128],
    });
    const ref = result.stdout.toString("utf8").trim();
    return ref ? { ref, sha } : undefined;
  }

  async function readTree(repositoryId: string, oid: string): Promise<Buffer> {
    const tree = isObjectId(oid) ? await object(repositoryId, oid, maxTreeBytes) : undefined;
    if (tree?.type !== "tree" || !tree.bytes) throw new Error("a directory cannot be read");
    return tree.bytes;
  }

  async function commitObject(repositoryId: string, sha: string): Promise<CommitObject | undefined> {
    if (!isObjectId(sha)) return undefined;
    const found = await object(repositoryId, sha, maxCommitBytes);
    if (found?.type !== "commit" || !found.bytes) return undefined;
    return { info: parseCommit(found.oid, found.bytes), bytes: found.bytes };
  }

  const commitInfo = async (repositoryId: string, sha: string) =>
    (await commitObject(repositoryId, sha))?.info;

  const treesOf = (repositoryId: string): TreeSource => ({
    treeOf: async (sha) => (await object(repositoryId, `${sha}^{tree}`, 0))?.oid,
    tipOf: async (ref) => (await commitOf(repositoryId, ref))?.sha,
    parentsOf: async (sha) => (await commitInfo(repositoryId, sha))?.parents,
    read: (oid) => readTree(repositoryId, oid),
  });

  return {
    async readFile(repositoryId, { sha, path, maxBytes }) {
      if (!isObjectId(sha) || !isTreePath(path) || path === "") return undefined;
      const found = await object(repositoryId, `${sha}:${path}`, maxBytes);
      if (found?.type !== "blob") return undefined;
      return { oid: found.oid, sizeBytes: found.sizeBytes, bytes: found.bytes };
    },
    async readObject(repositoryId, oid, maxBytes) {
      return isObjectId(oid) ? object(repositoryId, oid, maxBytes) : undefined;
    },
    readTree,
    async listDirectory(repositoryId, sha, path) {
      if (!isObjectId(sha) || !isTreePath(path)) return undefined;
      const name = path === "" ? `${sha}^{tree}` : `${sha}:${path}`;
      const found = await object(repositoryId, name, maxTreeBytes);
      if (found?.type !== "tree" || !found.bytes) return undefined;
      return parseTree(found.bytes);
    },
    async resolveRef(repositoryId, refOrSha) {
      if (isObjectId(refOrSha)) return refContaining(repositoryId, refOrSha);
      if (!isSafeRefName(refOrSha)) return undefined;
      if (refOrSha.startsWith("refs/internal/")) return undefined;
      if (refOrSha.startsWith("refs/")) return commitOf(repositoryId, refOrSha);
      return (
        (await commitOf(repositoryId, `refs/heads/${refOrSha}`)) ??
        (await commitOf(repositoryId, `refs/tags/${refOrSha}`))
      );
    },
    resolveKept: async (repositoryId, sha) =>
      isObjectId(sha) ? refContaining(repositoryId, sha, [keptRefs]) : undefined,
    resolveProposed: async (repositoryId, sha) =>
      isObjectId(sha) ? refContaining(repositoryId, sha, [mergeRequestRefs, mergeQueueRefs]) : undefined,
    commitInfo,
    commitObject,
    changedPaths: (repositoryId, change, limit) =>
      changedPathsBetween(
        { runGit, directory: storage.directory(repositoryId), trees: treesOf(repositoryId) },
        change,
        limit,
      ),
  };
}

/** Where no ref has such a name, Git takes it for what `git describe` says, and finds the commit whoever reaches it. */
const describesCommit = /-g[0-9a-f]{4,}$/i;
const maxTreeBytes = 32 * 1024 * 1024;
export const maxCommitBytes = 1024 * 1024;
