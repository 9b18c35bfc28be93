/** What rules ask about the commits of one push, from Git and from the runs. */
import { matchesGlob } from "@forgeline/compiler/glob.ts";
import { isAncestor } from "../../../platform/git/history/is-ancestor.ts";
import { bringsMerge } from "../../../platform/git/history/brings-merge.ts";
import { isReachableFrom, listBranchNames } from "../../../platform/git/history/reachable-from.ts";
import type { Git } from "../../../platform/git/processes/run-git.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";
import type { CheckOutcome, CheckWanted } from "./checks.ts";
import type { MergePass } from "./merge-pass.ts";
import type { Rule } from "./protections.store.ts";
import type { CommitVerifier } from "../commits/verification.ts";
import { createUnverifiedCommits, type UnverifiedCommits } from "./unverified-commits.ts";

export interface CommitFacts {
  /** Whether there may be another protected branch: each can cost processes of Git. */
  affordable(): boolean;
  goesForward(before: string, after: string): Promise<boolean>;
  /** A run of this very commit has succeeded in this repository. */
  hasPassed(sha: string): Promise<boolean>;
  /** What became of these for this very commit, in their order. */
  checks(sha: string, wanted: readonly CheckWanted[]): Promise<CheckOutcome[]>;
  /** Whether one of the commits that are new to the branch has several parents. */
  bringsMerge(before: string, after: string): Promise<boolean>;
  /** Those without a verified signature among the commits that are new to the branch. */
  unverified(update: RefUpdate): Promise<UnverifiedCommits>;
  /** Whether reviews have approved the commit as the head of a merge request into the branch, as all these rules want it. */
  isApproved(update: RefUpdate, rules: readonly Rule[]): Promise<boolean>;
  /** Of a merge request that is being merged. */
  pass: MergePass | undefined;
  /**
   * Whether a branch that requires reviews can begin at the commit: it is in a branch that requires as many, or the
   * repository has no branch yet.
   */
  mayBegin(sha: string, wanted: { approvals: number; codeOwners: boolean }): Promise<boolean>;
}

const maxBranches = 100;

export function createCommitFacts(
  push: {
    directory: string;
    quarantine: string | null;
    git: Pick<Git, "run" | "start">;
    commitVerifier: CommitVerifier;
    defaultBranch: string;
    branchRules: readonly Rule[];
    pass: MergePass | undefined;
  } & Pick<CommitFacts, "hasPassed" | "checks" | "isApproved">,
): CommitFacts {
  const { directory, quarantine, branchRules } = push;
  const runGit = push.git.run;
  const unverified = createUnverifiedCommits(push);
  let asked = 0;
  let listed: Promise<string[]> | undefined;

  function branches(): Promise<string[]> {
    listed ??= listBranchNames(runGit, directory);
    return listed;
  }

  /** Where the rule has seen what came, and the default branch, which has what came before the rule. */
  async function trusted(): Promise<string[]> {
    const rules = branchRules.filter((rule) => rule.require_signed_commits);
    const names = (await branches()).filter(
      (name) => name === push.defaultBranch || rules.some((rule) => matchesGlob(rule.pattern, name)),
    );
    return names.map((name) => `refs/heads/${name}`);
  }
  return {
    affordable() {
      asked += 1;
      return asked <= maxBranches;
    },
    goesForward: (before, after) => isAncestor(runGit, { directory, quarantine, before, after }),
    hasPassed: push.hasPassed,
    checks: push.checks,
    isApproved: push.isApproved,
    pass: push.pass,
    bringsMerge: (before, after) => bringsMerge(runGit, { directory, quarantine, before, after }),
    async unverified({ before, after }) {
      return unverified({ after, known: before === zeroId ? await trusted() : [before] });
    },
    async mayBegin(sha, { approvals, codeOwners }) {
      const names = await branches();
      const strict = branchRules.filter(
        (rule) => rule.required_approvals >= approvals && (rule.require_code_owners || !codeOwners),
      );
      const asStrict = names.filter((name) => strict.some((rule) => matchesGlob(rule.pattern, name)));
      return names.length === 0 || isReachableFrom(runGit, { directory, sha, branches: asStrict });
    },
  };
}
