/** Rows of `lfs_locks`. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { LockRows } from "./lock.rows.ts";

export type LockRow = LockRows["listLocks"];

const columns = "l.id, l.path, l.owner_id, u.username as owner, l.locked_at";

export const statements = defineStatements<LockRows>({
  listLocks: `
    select ${columns} from lfs_locks l join users u on u.id = l.owner_id
    where l.repository_id = $1 and ($2::text is null or l.path = $2) and ($3::text is null or l.id = $3)
      and ($4::text is null or l.id > $4) order by l.id limit $5`,
  insertLock: `
    insert into lfs_locks (id, repository_id, path, owner_id) values ($1, $2, $3, $4)
    on conflict (repository_id, path) do nothing returning id`,
  deleteLock: "delete from lfs_locks where repository_id = $1 and id = $2",
});

export interface LockFilter {
  path: string | null;
  id: string | null;
  /** Only those after this id. */
  after: string | null;
  max: number;
}

/** In order of creation. */
export function listLocks(db: Queryable, repositoryId: string, filter: LockFilter): Promise<LockRow[]> {
  return db.query(statements.listLocks, [repositoryId, filter.path, filter.id, filter.after, filter.max]);
}

/** False if the path is locked already. */
export async function insertLock(
  tx: Queryable,
  lock: { id: string; repositoryId: string; path: string; ownerId: string },
): Promise<boolean> {
  const row = await tx.one(statements.insertLock, [lock.id, lock.repositoryId, lock.path, lock.ownerId]);
  return row !== undefined;
}

export async function deleteLock(tx: Queryable, repositoryId: string, id: string): Promise<void> {
  await tx.query(statements.deleteLock, [repositoryId, id]);
}
