/** The branches of a merge request in Git: where they are, what they have in common, and the ref that keeps the head. */
import type { Platform } from "../../../platform/platform.ts";
import { isSafeRefName, mergeRequestRefs, zeroId } from "../../../platform/git/refs/names.ts";
import { readRefs, syncRefs } from "../../../platform/git/refs/refs.ts";
import { invalidField } from "../../../platform/app-error.ts";
import type { Compared } from "./merge-requests.store.ts";

export interface BranchPair {
  source: string;
  target: string;
}

/** Full ids; undefined for a branch that is not there. */
export interface Tips {
  head: string | undefined;
  target: string | undefined;
}

export interface Branches {
  tips(repositoryId: string, pair: BranchPair): Promise<Tips>;
  /** Throws `validation_failed` where there is nothing to merge, naming the field. */
  compare(repositoryId: string, pair: BranchPair): Promise<Compared>;
  /** What both reach, and no later commit does; undefined where they share no history. */
  base(repositoryId: string, target: string, head: string): Promise<string | undefined>;
  /** The head can be fetched from now on, and stays when its branch is gone. Safe to repeat. */
  keepHead(repositoryId: string, number: number, head: string): Promise<void>;
}

export function createBranches({
  git,
  storage,
  history,
}: Pick<Platform, "git" | "storage" | "history">): Branches {
  async function tips(repositoryId: string, { source, target }: BranchPair): Promise<Tips> {
    const names = [source, target].map((name) => `refs/heads/${name}`);
    const refs = await readRefs(git.run, storage.directory(repositoryId), names);
    const tipOf = (name: string) => {
      const oid = refs.get(`refs/heads/${name}`) ?? zeroId;
      return oid === zeroId ? undefined : oid;
    };
    return { head: tipOf(source), target: tipOf(target) };
  }

  const base = (repositoryId: string, target: string, head: string) =>
    history.mergeBase(repositoryId, target, head);

  return {
    tips,
    base,
    async compare(repositoryId, pair) {
      checkName("source_branch", pair.source);
      checkName("target_branch", pair.target);
      if (pair.source === pair.target)
        throw invalidField("source_branch", "same", "A branch cannot be merged into itself.");
      const { head, target } = await tips(repositoryId, pair);
      if (!head) throw unknown("source_branch", pair.source);
      if (!target) throw unknown("target_branch", pair.target);
      const common = await base(repositoryId, target, head);
      if (common === undefined) throw invalidField("source_branch", "unrelated", unrelatedText);
      if (common === head)
        throw invalidField(
          "source_branch",
          "no_commits",
          `${pair.source} has no commits that ${pair.target} lacks.`,
        );
      return { head, target, base: common };
    },
    async keepHead(repositoryId, number, head) {
      const directory = storage.directory(repositoryId);
      const ref = `${mergeRequestRefs}/${number}/head`;
      await git.run({ directory, args: ["update-ref", "--no-deref", ref, head] });
      await syncRefs(directory, [ref]);
    },
  };
}

export const unrelatedText = "The branches share no history.";

function checkName(field: string, name: string): void {
  if (!isSafeRefName(`refs/heads/${name}`)) throw unknown(field, name);
}

function unknown(field: string, name: string) {
  return invalidField(field, "unknown", `No branch is named ${name.slice(0, 200)}.`);
}
