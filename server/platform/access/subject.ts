/** The subject that a request counts against: the user, otherwise the client's address. */
import { createHash } from "node:crypto";
import { addressBlock } from "../network/address-block.ts";
import type { Actor } from "./actor.ts";

export interface Subject {
  /** Unique among users, accounts that are signed in to, repositories, addresses and webhooks. */
  key: string;
  kind: "user" | "address";
  /** Whose custom limits count: a user's, or those of a repository's owner. */
  accountId: string | null;
}

/**
 * null for the system itself. All tokens and keys of a user count together; jobs count for their repository, not their
 * user; a deploy key counts by itself.
 */
export function subjectOf(actor: Actor): Subject | null {
  if (actor.kind === "system") return null;
  if (actor.job)
    return { key: `job:${actor.job.repositoryId}`, kind: "user", accountId: actor.job.repositoryId };
  if (actor.deployKey)
    return {
      key: `deploy_key:${actor.deployKey.id}`,
      kind: "user",
      accountId: actor.deployKey.repositoryId,
    };
  if (actor.userId !== null) return { key: `user:${actor.userId}`, kind: "user", accountId: actor.userId };
  return addressSubject(actor.request?.ipAddress ?? "");
}

export function addressSubject(ipAddress: string): Subject {
  return { key: `address:${addressBlock(ipAddress)}`, kind: "address", accountId: null };
}

/** An account that somebody tries to sign in to. `account` may be the typed text, which is not stored. */
export function accountSubject(account: string): Subject {
  const hash = createHash("sha256").update(account).digest("base64url");
  return { key: `account:${hash}`, kind: "user", accountId: null };
}
