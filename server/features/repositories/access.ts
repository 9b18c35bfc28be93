/** Who sees a repository and how far they may go there: the source of the one permission mechanism. */
import type { Database } from "../../db/database.ts";
import { isStorable } from "../../platform/storable-text.ts";
import type { RepositoryAccess } from "../policy/repository-access.ts";
import { findVisible } from "./store.ts";

export function createRepositoryAccess(db: Database): RepositoryAccess {
  return {
    async find(owner, name, actor) {
      if (!isStorable(owner) || !isStorable(name)) return undefined;
      const row = await findVisible(db, { owner, name }, actor);
      if (!row) return undefined;
      const repository = {
        id: row.id,
        owner: row.owner,
        name: row.name,
        visibility: row.visibility,
        archived: row.archived,
        publicPipelines: row.public_pipelines,
        defaultBranch: row.default_branch,
      };
      return { repository, level: row.level };
    },
  };
}
