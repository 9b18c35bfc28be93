/** Whom a request counts against: the user, else the address it came from. */
import { addressBlock } from "../../platform/address-block.ts";
import type { Actor } from "../identity/actor.ts";

export interface Subject {
  /** Unique among users, repositories, addresses and webhooks. */
  key: string;
  kind: "user" | "address";
  /** Whose custom limits count. */
  ownerId: string | null;
  /** So many times the limit; 1 when not given. */
  times?: number;
}

/** null for the system itself. All tokens of a user count together; jobs count for their repository, not their user. */
export function subjectOf(actor: Actor): Subject | null {
  if (actor.kind === "system") return null;
  if (actor.job) return { key: `job:${actor.job.repositoryId}`, kind: "user", ownerId: null };
  if (actor.userId !== null) return { key: `user:${actor.userId}`, kind: "user", ownerId: actor.userId };
  return addressSubject(actor.request?.ipAddress ?? "");
}

export function addressSubject(ipAddress: string): Subject {
  return { key: `address:${addressBlock(ipAddress)}`, kind: "address", ownerId: null };
}
