/** The branches of a merge request in Git: where they are, what they have in common, and the ref that keeps the head. */
import type { Platform } from "../../../platform/platform.ts";
import { isSafeRefName, mergeRequestRefs, zeroId } from "../../../platform/git/refs/names.ts";
import { readRefs, syncRefs } from "../../../platform/git/refs/refs.ts";
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
}

export interface Branches {
  /** `number`: of the merge request, where what it keeps is to be read too. */
  tips(repositoryId: string, pair: BranchPair, number?: number): Promise<Tips>;
  /** Throws `validation_failed` where there is nothing to merge, naming the field. */
  compare(repositoryId: string, pair: BranchPair): Promise<Compared>;
  /** What both reach, and no later commit does; undefined where they share no history. */
  base(repositoryId: string, target: string, head: string): Promise<string | undefined>;
  /** The head can be fetched from now on, and stays when its branch is gone. Safe to repeat. */
  keepHead(repositoryId: string, number: number, head: string): Promise<void>;
  /** What the target would become can be fetched from now on; undefined: not any more. Safe to repeat. */
  keepResult(repositoryId: string, number: number, commit: string | undefined): Promise<void>;
}

export function createBranches({
  git,
  storage,
  history,
}: Pick<Platform, "git" | "storage" | "history">): Branches {
  async function tips(
    repositoryId: string,
    { source, target, head }: BranchPair,
    number?: number,
  ): Promise<Tips> {
    const [ofSource, ofTarget] = [source, target].map((name) => `refs/heads/${name}`) as [string, string];
    const ofKept = `${mergeRequestRefs}/${number}/head`;
    const names = [ofSource, ofTarget, ...(number === undefined ? [] : [ofKept])];
    const refs = await readRefs(git.run, storage.directory(repositoryId), names);
    const oidOf = (ref: string) => {
      const oid = refs.get(ref) ?? zeroId;
      return oid === zeroId ? undefined : oid;
    };
    return { head: head ?? oidOf(ofSource), target: oidOf(ofTarget), kept: oidOf(ofKept) };
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
