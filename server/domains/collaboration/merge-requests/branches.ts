/** The branches of a merge request in Git: where they are, what they have in common, and the ref that keeps the head. */
import type { Platform } from "../../../platform/platform.ts";
import { keptTree } from "../../../platform/git/merging/kept-tree.ts";
import { isSafeRefName, mergeRequestRefs, zeroId } from "../../../platform/git/refs/names.ts";
import { presentRefs } from "../../../platform/git/refs/present-refs.ts";
import { syncRefs } from "../../../platform/git/refs/refs.ts";
import { invalidField } from "../../../platform/app-error.ts";
import type { Compared } from "./merge-requests.store.ts";

export interface BranchPair {
  source: string;
  target: string;
  /** Where the source branch is in another repository: the commit of it that has come over. */
  head?: string;
}

/** Of a merge request. */
export function pairOf(row: {
  repository_id: string;
  source_repository_id: string | null;
  source_branch: string;
  target_branch: string;
  head_sha: string;
}): BranchPair {
  const pair = { source: row.source_branch, target: row.target_branch };
  return row.source_repository_id === row.repository_id ? pair : { ...pair, head: row.head_sha };
}

/** Full ids; undefined for a branch that is not there. */
export interface Tips {
  head: string | undefined;
  target: string | undefined;
  /** What the ref of the merge request keeps. */
  kept: string | undefined;
  /** What the target would become, as it was last compared. */
  result: string | undefined;
}

export type KeptTips = Pick<Compared, "head" | "target"> & { result: string | undefined };

export interface Branches {
  /** `number`: of the merge request, where what it keeps is to be read too. */
  tips(repositoryId: string, pair: BranchPair, number?: number): Promise<Tips>;
  /** Throws `validation_failed` where there is nothing to merge, naming the field. */
  compare(repositoryId: string, pair: BranchPair): Promise<Compared>;
  /**
   * What merging both leads to, where `result` tells that and has no file that is of neither side. Only as long as the ref of the merge
   * request keeps `result`.
   */
  keptTree(repositoryId: string, tips: KeptTips): Promise<string | undefined>;
  /** What both reach, and no later commit does; undefined where they share no history. */
  base(repositoryId: string, target: string, head: string): Promise<string | undefined>;
  /** The head can be fetched from now on, and stays when its branch is gone. Safe to repeat. */
  keepHead(repositoryId: string, number: number, head: string): Promise<void>;
  /** What the target would become can be fetched from now on; undefined: not any more. Safe to repeat. */
  keepResult(repositoryId: string, number: number, commit: string | undefined): Promise<void>;
}

const patienceMs = 60_000;

export function createBranches({
  git,
  storage,
  history,
  files,
}: Pick<Platform, "git" | "storage" | "history" | "files">): Branches {
  async function tips(
    repositoryId: string,
    { source, target, head }: BranchPair,
    number?: number,
  ): Promise<Tips> {
    const [ofSource, ofTarget] = [source, target].map((name) => `refs/heads/${name}`) as [string, string];
    const [ofKept, ofResult] = [`${mergeRequestRefs}/${number}/head`, `${mergeRequestRefs}/${number}/merge`];
    const names = [ofSource, ofTarget, ...(number === undefined ? [] : [ofKept, ofResult])];
    // What is no name of a branch is none that is there.
    const safe = names.filter((name) => isSafeRefName(name));
    const refs = await presentRefs(git.run, storage.directory(repositoryId), safe);
    const oidOf = (ref: string) => {
      const oid = refs.get(ref) ?? zeroId;
      return oid === zeroId ? undefined : oid;
    };
    return {
      head: head ?? oidOf(ofSource),
      target: oidOf(ofTarget),
      kept: oidOf(ofKept),
      result: oidOf(ofResult),
    };
  }

  async function keep(repositoryId: string, ref: string, commit: string): Promise<void> {
    const directory = storage.directory(repositoryId);
    await git.run({ directory, args: ["update-ref", "--no-deref", ref, commit] });
    await syncRefs(directory, [ref]);
  }

  const base = (repositoryId: string, target: string, head: string) =>
    history.mergeBase(repositoryId, target, head);

  return {
    tips,
    base,
    async keptTree(repositoryId, { target, head, result }) {
      const commit = result && (await files.commitInfo(repositoryId, result));
      if (!commit) return undefined;
      const directory = storage.directory(repositoryId);
      return keptTree(git.run, { directory, signal: AbortSignal.timeout(patienceMs), commit, target, head });
    },
    async compare(repositoryId, pair) {
      checkBranchName("source_branch", pair.source);
      checkBranchName("target_branch", pair.target);
      if (pair.source === pair.target && pair.head === undefined)
        throw invalidField("source_branch", "same", "A branch cannot be merged into itself.");
      const { head, target } = await tips(repositoryId, pair);
      if (!head) throw unknownBranch("source_branch", pair.source);
      if (!target) throw unknownBranch("target_branch", pair.target);
      const common = await base(repositoryId, target, head);
      return { head, target, base: commonBase(pair, head, common) };
    },
    keepHead: (repositoryId, number, head) => keep(repositoryId, `${mergeRequestRefs}/${number}/head`, head),
    async keepResult(repositoryId, number, commit) {
      const ref = `${mergeRequestRefs}/${number}/merge`;
      if (commit !== undefined) return keep(repositoryId, ref, commit);
      const directory = storage.directory(repositoryId);
      await git.run({ directory, args: ["update-ref", "--no-deref", "-d", ref] });
    },
  };
}

/** The base, where there is something to merge. Throws `validation_failed`. */
export function commonBase(pair: BranchPair, head: string, base: string | undefined): string {
  if (base === undefined) throw invalidField("source_branch", "unrelated", unrelatedText);
  if (base !== head) return base;
  throw invalidField(
    "source_branch",
    "no_commits",
    `${pair.source} has no commits that ${pair.target} lacks.`,
  );
}

const unrelatedText = "The branches share no history.";

/** Throws `validation_failed` for what is no name of a branch. */
export function checkBranchName(field: string, name: string): void {
  if (!isSafeRefName(`refs/heads/${name}`)) throw unknownBranch(field, name);
}

export function unknownBranch(field: string, name: string) {
  return invalidField(field, "unknown", `No branch is named ${name.slice(0, 200)}.`);
}
