/**
 * Reads the history of a repository: lists of refs and commits, changes between commits, authors of lines. Commits are named by
 * full ids that `RepositoryFiles.resolveRef` gave. All but lists of refs never change for the same question.
 */
import { createBoundedCache } from "../../bounded-cache.ts";
import { attributeOfPaths, type AttributeOfPaths } from "../history/attributes-of-paths.ts";
import { blameFile, type BlameRange } from "../history/blame.ts";
import { changedFiles, type ChangeLimits, type FileChanges } from "../history/changed-files.ts";
import { compareFiles, type CompareOptions, type SidePair } from "../history/compared-files.ts";
import { countHistory, listHistory, mergeBase, mergeBases, type HistoryQuery } from "../history/history.ts";
import { bytesOfList, listChanges, type ListedChanges, type TreePair } from "../history/listed-changes.ts";
import type { ReadPatch } from "../history/patch-output.ts";
import type { TreeObjects } from "../history/tree-difference.ts";
import { listRefs, type RefPage } from "../refs/list-refs.ts";
import { zeroId } from "../refs/names.ts";
import { readRefs } from "../refs/refs.ts";
import type { RepositoryFiles } from "./repository-files.ts";
import type { Git } from "../processes/run-git.ts";
import type { RepositoryStorage } from "./storage.ts";

export interface RepositoryHistory {
  listRefs(
    repositoryId: string,
    page: { kind: "heads" | "tags"; offset: number; limit: number },
  ): Promise<RefPage>;
  /** The object that a ref names, by its full name; of an annotated tag, the tag. */
  refObject(repositoryId: string, ref: string): Promise<string | undefined>;
  /** Ids of commits, newest first. */
  list(repositoryId: string, query: HistoryQuery, page: { offset: number; limit: number }): Promise<string[]>;
  count(repositoryId: string, query: HistoryQuery): Promise<number>;
  /** undefined where the two share no history. */
  mergeBase(repositoryId: string, one: string, other: string): Promise<string | undefined>;
  /** All of them; none where the two share no history. */
  mergeBases(repositoryId: string, one: string, other: string): Promise<string[]>;
  /** The first files of a change, with patches. */
  changedFiles(repositoryId: string, range: TreePair, limits: ChangeLimits): Promise<FileChanges>;
  /** The files of a change of any size, without their patches. */
  listChanges(repositoryId: string, trees: TreePair): Promise<ListedChanges>;
  /** What changed in files of such a list, in their order; undefined for those that there was no time for. */
  compareFiles(
    repositoryId: string,
    pairs: readonly SidePair[],
    options: CompareOptions,
  ): Promise<(ReadPatch | undefined)[]>;
  /** One attribute of paths in the commit, from its `.gitattributes` files. */
  attributeOfPaths(
    repositoryId: string,
    question: { sha: string; paths: readonly string[]; name: string },
  ): Promise<AttributeOfPaths>;
  blame(repositoryId: string, sha: string, path: string): Promise<BlameRange[]>;
}

/** Counts that are remembered, since counting walks the whole history. */
const maxCounts = 2_000;
/** Lists of changed files that are remembered: people turn their pages. */
const maxLists = { maxEntries: 500, maxBytes: 32 * 1024 * 1024 };

export function createRepositoryHistory(deps: {
  storage: RepositoryStorage;
  git: Git;
  files: RepositoryFiles;
}): RepositoryHistory {
  const { storage, git, files } = deps;
  const counts = new Map<string, number>();
  const lists = createBoundedCache<ListedChanges>({ ...maxLists, bytesOf: bytesOfList });

  function remember(key: string, count: number): number {
    if (counts.size >= maxCounts) counts.delete(counts.keys().next().value!);
    counts.set(key, count);
    return count;
  }

  function listOf(id: string, pair: TreePair): Promise<ListedChanges> {
    const repository = { directory: storage.directory(id), trees: treesIn(files, id) };
    const key = `${id} ${pair.before} ${pair.after}`;
    return lists.get(key, () => listChanges(git.start, repository, pair));
  }

  return {
    listRefs: (id, page) => listRefs(git.start, storage.directory(id), page),
    async refObject(id, ref) {
      const oid = (await readRefs(git.run, storage.directory(id), [ref])).get(ref);
      return oid === zeroId ? undefined : oid;
    },
    list: (id, query, page) => listHistory(git.start, storage.directory(id), { query, page }),
    async count(id, query) {
      const key = JSON.stringify([id, query]);
      return counts.get(key) ?? remember(key, await countHistory(git.start, storage.directory(id), query));
    },
    mergeBase: (id, one, other) => mergeBase(git.run, storage.directory(id), { one, other }),
    mergeBases: (id, one, other) => mergeBases(git.run, storage.directory(id), { one, other }),
    changedFiles: async (id, trees, limits) =>
      changedFiles(git.start, storage.directory(id), { list: await listOf(id, trees), limits }),
    listChanges: listOf,
    compareFiles: (id, pairs, options) => compareFiles(git.start, storage.directory(id), { pairs, options }),
    attributeOfPaths: (id, { sha, ...question }) =>
      attributeOfPaths(git.run, {
        ...question,
        directory: storage.directory(id),
        readFile: (path, maxBytes) => files.readFile(id, { sha, path, maxBytes }),
      }),
    blame: (id, sha, path) => blameFile(git.start, storage.directory(id), { sha, path }),
  };
}

function treesIn(files: RepositoryFiles, id: string): TreeObjects {
  return {
    async sizeOf(oid) {
      const tree = await files.readObject(id, oid, 0);
      if (!tree) throw new Error("a directory cannot be read");
      return tree.sizeBytes;
    },
    read: (oid) => files.readTree(id, oid),
  };
}
