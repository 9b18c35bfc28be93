/**
 * On whose behalf something happens now that somebody asked for earlier, such as a merge as soon as nothing is missing: theirs, with
 * the rights that they have now, in this repository alone.
 */
import { levelCovers } from "@forgeline/schemas/core/repository-levels.ts";
import type { Scope } from "@forgeline/schemas/core/scopes.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { actingFor, type UserRow } from "../../accounts/domain.ts";
import type { Upstreams } from "../../hosting/domain.ts";
import type { GrantedRepository } from "../../policy/domain.ts";

/**
 * Why it cannot be for them. `account`: it is gone or suspended. `access`: they may not write in the repository any more, or it is gone.
 * `archived`: nobody may.
 */
export type LostRight = "account" | "access" | "archived";

export interface Later {
  actor: Actor;
  granted: GrantedRepository;
}

export interface LaterActors {
  /** Null as the user: the account is gone. Reads only, so it is safe to call at any time; what it finds holds for this moment. */
  find(userId: string | null, repositoryId: string): Promise<Later | { lost: LostRight }>;
}

export interface LaterActorsDeps {
  users: { getMany(ids: readonly string[]): Promise<Map<string, UserRow>> };
  upstreams: Pick<Upstreams, "see">;
}

/** What a merge takes; the credential with which it was asked for is not at hand any more. */
const scopes: readonly Scope[] = ["repo:write", "mr:write", "pipeline:read"];

export function createLaterActors({ users, upstreams }: LaterActorsDeps): LaterActors {
  return {
    async find(userId, repositoryId) {
      const user = userId === null ? undefined : (await users.getMany([userId])).get(userId);
      const known = user && actingFor(user);
      if (!known) return { lost: "account" };
      const actor: Actor = { ...known, scopes, repositoryIds: [repositoryId] };
      const granted = await upstreams.see(repositoryId, actor);
      if (!granted || !levelCovers(granted.level, "write")) return { lost: "access" };
      return granted.repository.archived ? { lost: "archived" } : { actor, granted };
    },
  };
}
