/** On whose behalf the jobs of a run start other pipelines: the person behind it, within the limits of the credential. Pure. */
import { anonymousActor, type Actor } from "../../../platform/access/actor.ts";
import { hasScope } from "../../../platform/access/requirement.ts";
import type { RunStarts } from "./create-run.ts";

/** For a run that this request makes, or runs again. */
export function startsOf(actor: Actor): RunStarts {
  return { userId: actor.userId, elsewhere: reachesElsewhere(actor) };
}

/** Whether the credential may start pipelines in every repository in which its user may. */
export function reachesElsewhere(actor: Actor): boolean {
  const isPerson = actor.kind === "user" || actor.kind === "bot";
  return isPerson && !actor.deployKey && actor.repositoryIds === null && hasScope(actor, "pipeline:write");
}

/** When a job starts a pipeline, the request that made its run is not at hand any more. */
export function childActor(
  user: { id: string; username: string } | null,
  limits: { repositoryId: string; elsewhere: boolean },
): Actor {
  if (user === null) return anonymousActor;
  return {
    ...anonymousActor,
    kind: "user",
    userId: user.id,
    username: user.username,
    scopes: ["repo:read", "pipeline:read", "pipeline:write"],
    repositoryIds: limits.elsewhere ? null : [limits.repositoryId],
  };
}
