/**
 * How far a credential reaches beyond the repository in which it is used. Kept with what goes on acting when the request is over, such
 * as a schedule. Pure.
 */
import type { Actor } from "./actor.ts";
import { hasScope } from "./requirement.ts";

/** `here`: not at all. `reads`: it reads what its user may read. `starts`: it starts pipelines where its user may, too. */
export type Reach = "here" | "reads" | "starts";

const fromNarrow: readonly Reach[] = ["here", "reads", "starts"];

export function reachOf(actor: Actor): Reach {
  const isPerson = actor.kind === "user" || actor.kind === "bot";
  if (!isPerson || actor.deployKey || actor.repositoryIds !== null) return "here";
  return hasScope(actor, "pipeline:write") ? "starts" : "reads";
}

export function narrowerReach(one: Reach, other: Reach): Reach {
  return fromNarrow.indexOf(one) < fromNarrow.indexOf(other) ? one : other;
}
