/** What rules ask about the commits of one push, from Git and from the runs. */
import { matchesGlob } from "@forgeline/compiler/glob.ts";
import { isAncestor } from "../../../platform/git/history/is-ancestor.ts";
import { isReachableFrom, listBranchNames } from "../../../platform/git/history/reachable-from.ts";
import type { RunGit } from "../../../platform/git/processes/run-git.ts";
import type { Rule } from "./protections.store.ts";

export interface CommitFacts {
  /** Whether there may be another protected branch: each can cost processes of Git. */
  affordable(): boolean;
  goesForward(before: string, after: string): Promise<boolean>;
  /** A run of this very commit has succeeded in this repository. */
  hasPassed(sha: string): Promise<boolean>;
  /**
   * Whether a branch that requires approvals can begin at the commit: it is in a branch that requires as many, or the
   * repository has no branch yet.
   */
  mayBegin(sha: string, approvals: number): Promise<boolean>;
}

const maxBranches = 100;

export function createCommitFacts(push: {
  directory: string;
  quarantine: string | null;
  runGit: RunGit;
  branchRules: readonly Rule[];
  hasPassed(sha: string): Promise<boolean>;
}): CommitFacts {
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
    async mayBegin(sha, approvals) {
      listed ??= listBranchNames(runGit, directory);
      const names = await listed;
      const strict = branchRules.filter((rule) => rule.required_approvals >= approvals);
      const asStrict = names.filter((name) => strict.some((rule) => matchesGlob(rule.pattern, name)));
      return names.length === 0 || isReachableFrom(runGit, { directory, sha, branches: asStrict });
    },
  };
}
