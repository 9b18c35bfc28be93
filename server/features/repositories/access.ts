/** Who sees a repository and how far they may go there: the source of the one permission mechanism. */
import type { Database } from "../../db/database.ts";
import type { Actor } from "../identity/actor.ts";
import type { RepositoryAccess, RepositoryLevel } from "../policy/repository-access.ts";
import { findByName, type RepositoryRow } from "./store.ts";

export function createRepositoryAccess(db: Database): RepositoryAccess {
  return {
    async find(owner, name, actor) {
      // PostgreSQL has no text with NUL; such a name is of nothing.
      if (owner.includes("\0") || name.includes("\0")) return undefined;
      const row = await findByName(db, owner, name);
      const level = row && levelOf(actor, row);
      if (!row || !level) return undefined;
      const repository = {
        id: row.id,
        owner: row.owner,
        name: row.name,
        visibility: row.visibility,
        archived: row.archived,
        publicPipelines: row.public_pipelines,
        defaultBranch: row.default_branch,
      };
      return { repository, level };
    },
  };
}

/** undefined: does not see it. */
export function levelOf(
  actor: Actor,
  row: Pick<RepositoryRow, "id" | "owner_id" | "visibility">,
): RepositoryLevel | undefined {
  const everyone = row.visibility === "public" ? "read" : undefined;
  if (actor.kind === "system") return "admin";
  // The token of a job is bound to one repository, whatever else its user may do.
  if (actor.job) return actor.job.repositoryId === row.id ? "read" : everyone;
  if (actor.kind !== "user") return everyone;
  return row.owner_id === actor.userId || actor.isAdmin ? "admin" : everyone;
}
