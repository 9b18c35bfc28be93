/** The caller for whom an exchange takes its slot. */
import type { Actor } from "../../access/actor.ts";
import { subjectOf } from "../../access/subject.ts";
import type { Claim } from "./git-slots.ts";

export type Claimant = Pick<Claim, "user" | "account" | "isAnonymous">;

/**
 * An account can have any number of deploy keys and repositories with jobs, so these count for the repository's owner together, and
 * so does what that owner does.
 */
export function claimantOf(actor: Actor, repository?: { owner: string }): Claimant {
  const user = subjectOf(actor)?.key ?? "";
  if (actor.kind === "anonymous") return { user, isAnonymous: true };
  const isOfRepository = actor.job !== null || actor.deployKey !== undefined;
  return { user, account: (isOfRepository ? repository?.owner : actor.username)?.toLowerCase() };
}
