/** Who can see a repository and what level they have there, as the permission mechanism asks for it. */
import type { Database } from "../../../platform/db/database.ts";
import type { Actor, DeployKeyHolder, JobHolder } from "../../../platform/access/actor.ts";
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

type Holder = Pick<DeployKeyHolder, "repositoryId" | "permission">;

/** Undefined for whoever has the rights of a user, or of nobody. */
function holderOf({ deployKey, job, userId }: Actor): Holder | undefined {
  return deployKey ?? (job && userId === null ? readerOf(job) : undefined);
}

function readerOf({ repositoryId }: JobHolder): Holder {
  return { repositoryId, permission: "read" };
}

export function createRepositoryAccess(db: Database): RepositoryRows {
  /**
   * A deploy key sees its repository and nothing else, not even public ones; the rights of the user who added it do not matter. A job
   * of a run that no user started sees its repository, and others as everyone does; so does one that an administrator started who has
   * no role there, whose own rights are not lent to it.
   */
  async function findOwn(holder: Holder, address: { owner: string; name: string }) {
    const everything = { userId: null, isAdmin: true, repositoryIds: null };
    const present = await findVisible(db, address, everything);
    const row = present ?? (await findMoved(db, address, everything));
    if (row?.id !== holder.repositoryId) return undefined;
    return { repository: refOf(row, !present), level: holder.permission };
  }

  return {
    rowOf: (repository: FoundRepository) => repository[source],
    async find(owner, name, actor) {
      if (!isStorable(owner) || !isStorable(name)) return undefined;
      const holder = holderOf(actor);
      const own = holder && (await findOwn(holder, { owner, name }));
      if (own || actor.deployKey) return own;
      const present = await findVisible(db, { owner, name }, actor);
      const row = present ?? (await findMoved(db, { owner, name }, actor));
      if (row) return { repository: refOf(row, !present), level: row.level };
      return actor.job?.isOfAdmin ? findOwn(readerOf(actor.job), { owner, name }) : undefined;
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
