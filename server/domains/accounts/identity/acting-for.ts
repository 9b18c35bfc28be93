/** Work that goes on by itself for somebody, with their rights and no credential of theirs: schedules. */
import { scopes } from "@forgeline/schemas/core/scopes.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { UserRow } from "../users/users.store.ts";

/** Undefined for a suspended account, which may do nothing. */
export function actingFor(user: UserRow): Actor | undefined {
  if (user.suspended) return undefined;
  return {
    kind: user.type,
    userId: user.id,
    username: user.username,
    isAdmin: user.is_admin,
    scopes,
    tokenId: null,
    sessionId: null,
    repositoryIds: null,
    job: null,
    request: null,
  };
}
