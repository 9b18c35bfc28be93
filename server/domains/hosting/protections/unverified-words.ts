/** Commits without a verified signature, in words. */
import type { UnverifiedCommit, UnverifiedReason } from "./unverified-commits.ts";

export function nameUnverified(commits: readonly UnverifiedCommit[]): string {
  return commits.map(({ sha, reason }) => `${sha.slice(0, 12)} ${whyNot[reason]}`).join(", ");
}

const whyNot: Record<UnverifiedReason, string> = {
  unsigned: "is not signed",
  unknown_key: "is signed with a key that nobody here has",
  bad_email: "has a committer whose address is not one of the signer",
  unverified_email: "has a committer whose address is not verified",
  expired_key: "is signed with a key that has expired",
  revoked_key: "is signed with a key that was revoked",
  invalid: "has an invalid signature",
  unsupported: "is signed in a way that is not supported",
  too_large: "is too large to be checked",
};
