/** Finds a repository and the level of the actor's user on it. Owners have `admin`, everyone `read` on public ones. */
import type { Database } from "../../db/database.ts";
import { repositoryForActor, type RepositoryAccess, type RepositoryRef } from "./repository-access.ts";

interface Row {
  id: string;
  owner: string;
  owner_id: string;
  name: string;
  visibility: RepositoryRef["visibility"];
  archived: boolean;
  public_pipelines: boolean;
  default_branch: string;
}

export function createRepositoryAccess(db: Database): RepositoryAccess {
  return {
    async find(owner, name, actor) {
      const row = await db.one<Row>(
        `select r.id, o.name as owner, r.owner_id, r.name, r.visibility, r.archived, r.public_pipelines, r.default_branch
         from repositories r join owners o on o.id = r.owner_id
         where lower(o.name) = lower($1) and lower(r.name) = lower($2)`,
        [owner, name],
      );
      if (!row) return undefined;
      const repository: RepositoryRef = {
        id: row.id,
        owner: row.owner,
        name: row.name,
        visibility: row.visibility,
        archived: row.archived,
        publicPipelines: row.public_pipelines,
        defaultBranch: row.default_branch,
      };
      return repositoryForActor(repository, row.owner_id, actor);
    },
  };
}
