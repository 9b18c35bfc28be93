/** Whether somebody may still do what the import does for them. */
import { levelCovers } from "@forgeline/schemas/core/repository-levels.ts";
import { actingFor, type UserRow } from "../../accounts/domain.ts";
import type { Upstreams } from "../../hosting/domain.ts";
import type { BegunImport } from "./imports.store.ts";

export interface RequesterDeps {
  users: { getMany(ids: readonly string[]): Promise<Map<string, UserRow>> };
  upstreams: Pick<Upstreams, "see">;
}

/** An import may take days: in between an account is suspended, or loses the right to administer the repository. */
export async function mayGoOn(
  { users, upstreams }: RequesterDeps,
  { created_by: userId, repository_id: repositoryId }: Pick<BegunImport, "created_by" | "repository_id">,
): Promise<boolean> {
  const user = userId === null ? undefined : (await users.getMany([userId])).get(userId);
  const actor = user && actingFor(user);
  if (!actor || repositoryId === null) return false;
  const seen = await upstreams.see(repositoryId, actor);
  return seen !== undefined && levelCovers(seen.level, "admin");
}
