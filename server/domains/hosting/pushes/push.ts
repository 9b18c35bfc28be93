/** A push that happened, and the followers that other parts of the server add to it. */
import type { Actor } from "../../../platform/access/actor.ts";
import type { Reach } from "../../../platform/access/reach.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";

/** The signature of a signed push. */
export interface PushSignature {
  /**
   * `verified`: signed with a key of the pusher. `unknown_key`: with another key. `unchecked`: in a format that we cannot
   * verify.
   */
  status: "verified" | "unknown_key" | "unchecked";
  /** Of the SSH key, as `ssh-keygen -l` shows it; null for a signature of another form. */
  fingerprint: string | null;
  /** What the client sent, with the signature. */
  certificate: Buffer;
  /** SHA-256 (hex) of what was signed. */
  digest: string;
}

/** Why refs move: somebody pushed, a sync of a mirror took them from its source, or one of a fork from its upstream. */
export type PushCause = "push" | "mirror_sync" | "fork_sync";

export interface RecordedPush {
  id: string;
  repositoryId: string;
  cause: PushCause;
  /** Null for a sync of a mirror. */
  userId: string | null;
  /** For a sync of a mirror `system`. */
  username: string;
  /** Whose token pushed; null: no job's did. */
  jobId: string | null;
  /** Only updates that happened, in the order in which the client sent them. */
  updates: RefUpdate[];
  /** What the pusher gave with `git push -o`. */
  options: string[];
  /** Null for a push that was not signed. */
  signature: PushSignature | null;
}

/** The updates that a push may make. */
export interface PushIntent extends RecordedPush {
  /** All of it, or nothing. */
  atomic: boolean;
  /** Of the credential of the pusher; `here` for a push by invitation. */
  reach: Reach;
}

/**
 * Something that follows from a push. `prepare` reads and computes before the transaction and may run more than
 * once for one push; the function that it gives back writes, in the transaction that records the push, and so
 * exactly once; it gives back lines to show to the pusher. A problem with the pushed content must become a record
 * (for pipelines: a run that shows the error); throwing means "try again later".
 */
export interface PushFollower {
  /**
   * `actor`: who pushes, with the limits of the credential, and for a push by invitation with no right elsewhere; the system where that
   * is not at hand any more.
   */
  prepare(push: RecordedPush, actor: Actor): Promise<(tx: Transaction) => Promise<string[]>>;
  /** Once it is recorded, of a push by a Git client: what else its user wants to read there. */
  advise?(push: RecordedPush, actor: Actor): Promise<string[]>;
}
