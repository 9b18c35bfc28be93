/** Who can see a repository and what level they have there: the source of the permission mechanism. */
import type { Database } from "../../../platform/db/database.ts";
import type { DeployKeyHolder } from "../../../platform/access/actor.ts";
import { isStorable } from "../../../platform/storable-text.ts";
import type { RepositoryAccess, RepositoryRef } from "../../policy/domain.ts";
import { findDeleted } from "./deletion.store.ts";
import { findMoved, findVisible, type RepositoryRow } from "./repositories.store.ts";

export interface RepositoryRows extends RepositoryAccess {
  /** The row that `find` read to make this; undefined for what did not come from there. */
  rowOf(repository: RepositoryRef): RepositoryRow | undefined;
}

/** Whoever shows a repository has just been let in by its row, and need not read it again. */
const source = Symbol("the row it was made from");
interface FoundRepository extends RepositoryRef {
  [source]?: RepositoryRow;
}

export function createRepositoryAccess(db: Database): RepositoryRows {
  /** A key sees its repository and nothing else, not even what is public; whoever put it there has no part in it. */
  async function findOfKey(key: DeployKeyHolder, address: { owner: string; name: string }) {
    const everything = { userId: null, isAdmin: true, repositoryIds: null };
    const present = await findVisible(db, address, everything);
    const row = present ?? (await findMoved(db, address, everything));
    if (row?.id !== key.repositoryId) return undefined;
    return { repository: refOf(row, !present), level: key.permission };
  }

  return {
    rowOf: (repository: FoundRepository) => repository[source],
    async find(owner, name, actor) {
      if (!isStorable(owner) || !isStorable(name)) return undefined;
      if (actor.deployKey) return findOfKey(actor.deployKey, { owner, name });
      const present = await findVisible(db, { owner, name }, actor);
      const row = present ?? (await findMoved(db, { owner, name }, actor));
      return row && { repository: refOf(row, !present), level: row.level };
    },
    async findDeleted(owner, name, actor) {
      if (!isStorable(owner) || !isStorable(name)) return undefined;
      const row = await findDeleted(db, { owner, name }, actor);
      return row && { repository: refOf(row, false), level: row.level };
    },
  };
}

function refOf(row: RepositoryRow, moved: boolean): FoundRepository {
  return {
    id: row.id,
    owner: row.owner,
    name: row.name,
    visibility: row.visibility,
    archived: row.archived,
    publicPipelines: row.public_pipelines,
    defaultBranch: row.default_branch,
    moved,
    [source]: row,
  };
}
