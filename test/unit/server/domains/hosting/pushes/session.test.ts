/** What a push asks right before its intent is written. */
import { expect, test, vi } from "vitest";
import { createSession } from "@forgeline/server/domains/hosting/pushes/session.ts";
import { anonymousActor } from "@forgeline/server/platform/access/actor.ts";

const updates = [{ ref: "refs/heads/topic", before: "1".repeat(40), after: "2".repeat(40) }];

/** Whose rules allow everything. */
function sessionOf(isStillInvited: boolean) {
  const one = vi.fn<() => Promise<{ answer: string }>>(() => Promise.resolve({ answer: "accepted" }));
  const refGuard = {
    judge: () => Promise.resolve({ refusals: new Map(), bypassed: null, invitations: [] }),
    isStillInvited: () => Promise.resolve(isStillInvited),
  };
  const deps = { refGuard, db: { one }, storage: { directory: () => "/nowhere" }, presence: { id: "here" } };
  const session = {
    repository: { id: "repo_1", owner: "bob", name: "engine", defaultBranch: "main" },
    actor: { ...anonymousActor, kind: "user", userId: "user_1", username: "mary" },
    cause: "push",
    live: new Set(),
    freeLocks: () => Promise.resolve(),
    knownOverrides: [],
    isInvited: true,
    deps,
  };
  return { session: createSession(session as unknown as Parameters<typeof createSession>[0]), one };
}

test.each([true, false])("a push by invitation is asked for it again: %s", async (isStillInvited) => {
  const { session, one } = sessionOf(isStillInvited);
  const asked = { updates, options: [], quarantine: null, certificate: null, isAtomic: false };
  expect(await session.beforeRefsMove(asked)).toMatchObject({ accept: isStillInvited });
  expect(one).toHaveBeenCalledTimes(isStillInvited ? 1 : 0);
});
