/** A runner as an actor, for the audit log. */
import type { Actor } from "../../../platform/access/actor.ts";

export function runnerActor(runner: { id: string; name: string }, ipAddress: string): Actor {
  return {
    kind: "runner",
    userId: null,
    username: `runner:${runner.name}`,
    isAdmin: false,
    scopes: [],
    tokenId: null,
    sessionId: null,
    repositoryIds: null,
    job: null,
    request: { id: runner.id, ipAddress, userAgent: "forgeline-runner" },
  };
}
