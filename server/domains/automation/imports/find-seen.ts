/** Who sees an import: whoever began it, and those who administer its repository. */
import { levelCovers } from "@forgeline/schemas/core/repository-levels.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Upstreams } from "../../hosting/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import * as store from "./imports.store.ts";

export interface SeeingDeps {
  db: Database;
  upstreams: Pick<Upstreams, "see">;
}

/** Throws `not_found`. */
export async function findSeen(
  { db }: Pick<SeeingDeps, "db">,
  actor: Actor,
  id: string,
): Promise<store.ImportRow> {
  const row = await store.findSeen(db, { userId: userIdOf(actor), isAdmin: actor.isAdmin }, id);
  if (!row) throw new AppError("not_found");
  return row;
}

/** Its repository, where the actor administers it. */
export async function administered(
  { upstreams }: Pick<SeeingDeps, "upstreams">,
  actor: Actor,
  { repository_id: id }: Pick<store.ImportRow, "repository_id">,
): Promise<RepositoryRef | undefined> {
  const seen = id === null ? undefined : await upstreams.see(id, actor);
  return seen && levelCovers(seen.level, "admin") ? seen.repository : undefined;
}
