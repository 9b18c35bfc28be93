/** Who can see a repository and what level they have there, as the permission mechanism asks for it. */
import type { Database } from "../../../platform/db/database.ts";
import type { DeployKeyHolder } from "../../../platform/access/actor.ts";
import { isStorable } from "../../../platform/storable-text.ts";
import type { RepositoryAccess, RepositoryRef } from "../../policy/domain.ts";
import { findDeleted } from "./deletion.store.ts";
import { refOfRow } from "./ref-of-row.ts";
import { findMoved, findVisible, type RepositoryRow } from "./repositories.store.ts";

export interface RepositoryRows extends RepositoryAccess {
  /** The row that `find` read for this; undefined if it did not come from `find`. */
  rowOf(repository: RepositoryRef): RepositoryRow | undefined;
}

/** The permission check has just read the repository's row, so it need not be read again. */
const source = Symbol("the row it was made from");
interface FoundRepository extends RepositoryRef {
  [source]?: RepositoryRow;
}

export function createRepositoryAccess(db: Database): RepositoryRows {
  /**
   * A deploy key sees its repository and nothing else, not even public ones; the rights of the user who added it do not matter.
   */
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
  return { ...refOfRow(row, moved), [source]: row };
}
