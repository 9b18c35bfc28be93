/** Commits without a verified signature that a branch would get, for whoever looks before they come. */
import type { Git } from "../../../platform/git/processes/run-git.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import type { CommitVerifier } from "../commits/verification.ts";
import { createUnverifiedCommits, type UnverifiedCommit } from "./unverified-commits.ts";

export interface UnverifiedChanges {
  /** Newest first, a few of them. None also where there are too many commits to look at: the rule judges those when they come. */
  find(repositoryId: string, change: { head: string; target: string }): Promise<UnverifiedCommit[]>;
}

/** A page asks every few moments. */
const maxLookedAt = 250;

export function createUnverifiedChanges(deps: {
  storage: RepositoryStorage;
  git: Pick<Git, "run" | "start">;
  commitVerifier: CommitVerifier;
}): UnverifiedChanges {
  const { storage, git, commitVerifier } = deps;
  return {
    async find(repositoryId, { head, target }) {
      const directory = storage.directory(repositoryId);
      const place = { directory, quarantine: null, maxCommits: maxLookedAt };
      const find = createUnverifiedCommits({ ...place, git, commitVerifier });
      const found = await find({ after: head, known: [target] });
      return found === "too_many" ? [] : found;
    },
  };
}
