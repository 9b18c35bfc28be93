/** What rules ask about the commits of one push, from Git and from the runs. */
import { matchesGlob } from "@forgeline/compiler/glob.ts";
import { isAncestor } from "../../../platform/git/history/is-ancestor.ts";
import { bringsMerge } from "../../../platform/git/history/brings-merge.ts";
import { isReachableFrom, listBranchNames } from "../../../platform/git/history/reachable-from.ts";
import type { RunGit } from "../../../platform/git/processes/run-git.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";
import type { CheckOutcome, CheckWanted } from "./checks.ts";
import type { MergePass } from "./merge-pass.ts";
import type { Rule } from "./protections.store.ts";

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
    runGit: RunGit;
    branchRules: readonly Rule[];
    pass: MergePass | undefined;
  } & Pick<CommitFacts, "hasPassed" | "checks" | "isApproved">,
): CommitFacts {
  const { directory, quarantine, runGit, branchRules } = push;
  let asked = 0;
  let listed: Promise<string[]> | undefined;
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
    async mayBegin(sha, { approvals, codeOwners }) {
      listed ??= listBranchNames(runGit, directory);
      const names = await listed;
      const strict = branchRules.filter(
        (rule) => rule.required_approvals >= approvals && (rule.require_code_owners || !codeOwners),
      );
      const asStrict = names.filter((name) => strict.some((rule) => matchesGlob(rule.pattern, name)));
      return names.length === 0 || isReachableFrom(runGit, { directory, sha, branches: asStrict });
    },
  };
}
