/** On whose behalf the jobs of a run start other pipelines: the person behind it, within the limits of the credential. Pure. */
import { anonymousActor, type Actor } from "../../../platform/access/actor.ts";
import { reachOf } from "../../../platform/access/reach.ts";
import type { RunStarts } from "./create-run.ts";

/** For a run that this request makes, or runs again. */
export function startsOf(actor: Actor): RunStarts {
  return { userId: actor.userId, elsewhere: reachOf(actor) === "starts" };
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
