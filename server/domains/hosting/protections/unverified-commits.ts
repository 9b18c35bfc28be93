/** Looks for commits without a verified signature among those that an update brings to a branch. */
import type { CommitVerification } from "@forgeline/schemas/commits/verification.ts";
import { AppError } from "../../../platform/app-error.ts";
import { parseCommit } from "../../../platform/git/objects/commit.ts";
import { listNewCommits, visitCommits } from "../../../platform/git/history/new-commits.ts";
import type { Git } from "../../../platform/git/processes/run-git.ts";
import type { CommitVerifier } from "../commits/verification.ts";

export type UnverifiedReason = Exclude<CommitVerification["reason"], "valid"> | "too_large";

export interface UnverifiedCommit {
  sha: string;
  reason: UnverifiedReason;
}

/** Newest first, a few of them; none: all are verified. `too_many`: more commits are new than one push may bring. */
export type UnverifiedCommits = UnverifiedCommit[] | "too_many";

export interface NewToBranch {
  after: string;
  /** As `listNewCommits` takes them. */
  known: readonly string[];
}

/** Of all branches of one push together. */
export const maxNewCommits = 10_000;
const maxNamed = 3;
/** Of one push: reading the largest commits takes some milliseconds each. */
const patienceMs = 300_000;

const tooLongText =
  "Looking at the signatures of these commits takes too long: push fewer of them at a time.";

/** For one push. Throws `unavailable` where it takes too long. */
export function createUnverifiedCommits(push: {
  directory: string;
  quarantine: string | null;
  git: Pick<Git, "run" | "start">;
  commitVerifier: CommitVerifier;
  maxCommits?: number;
}): (update: NewToBranch) => Promise<UnverifiedCommits> {
  const { git, commitVerifier, maxCommits = maxNewCommits, ...place } = push;
  const signal = AbortSignal.timeout(patienceMs);
  let left = maxCommits;
  return async (update) => {
    const shas = await listNewCommits(git.run, { ...place, ...update, max: left });
    if (!shas) return "too_many";
    left -= shas.length;
    const found: UnverifiedCommit[] = [];
    await visitCommits(git.start, { ...place, shas }, async (objects) => {
      if (signal.aborted) throw new AppError("unavailable", { message: tooLongText });
      const commits = objects.map(({ oid, bytes }) => ({
        oid,
        // An empty object has no signature either.
        bytes: bytes ?? Buffer.alloc(0),
        isTooLarge: bytes === null,
      }));
      const verified = await commitVerifier.verify(
        commits.map(({ oid, bytes }) => ({ bytes, committerEmail: parseCommit(oid, bytes).committer.email })),
      );
      for (const [at, { reason }] of verified.entries()) {
        const { oid: sha, isTooLarge } = commits[at]!;
        if (reason !== "valid") found.push({ sha, reason: isTooLarge ? "too_large" : reason });
      }
      return found.length < maxNamed;
    });
    return found.slice(0, maxNamed);
  };
}
