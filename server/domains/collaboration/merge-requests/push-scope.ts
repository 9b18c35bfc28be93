/**
 * What changes branches takes the scope of pushing, besides that of the operation: a credential for merge requests alone writes no
 * content. Asked while the credential is at hand, since what happens later is done without it (`later-actor.ts`).
 */
import type { Actor } from "../../../platform/access/actor.ts";
import { hasScope, insufficientScope } from "../../../platform/access/requirement.ts";

/** By its scopes; what the level allows is another matter. */
export function mayPush(actor: Actor): boolean {
  return hasScope(actor, "repo:write");
}

/** Throws `insufficient_scope`. */
export function requirePushScope(actor: Actor): void {
  if (!mayPush(actor)) throw insufficientScope("repo:write", "It changes branches, as a push.");
}
