/** Rows of `repositories` for comparing them with directories. */
import type { Queryable } from "../../../platform/db/database.ts";

interface Known {
  /** Those that were requested. */
  findUnknown: { id: string };
}

export const statements = defineStatements<DirectoryRows, Known>({
  listAll: `
    select r.id, n.full_name as "fullName", r.default_branch as "defaultBranch",
      r.deleted_at is not null as deleted
    from repositories r join repository_names n on n.repository_id = r.id where r.id > $1 order by r.id limit $2`,
  findUnknown:
    "select i.id from unnest($1::text[]) as i(id) where not exists (select from repositories r where r.id = i.id)",
});
import { defineStatements } from "../../../platform/db/statement.ts";
import type { DirectoryRows } from "./directory.rows.ts";

export interface KeptRepository {
  id: string;
  fullName: string;
  defaultBranch: string;
  /** Deleted, and removed for good when its time is over. */
  deleted: boolean;
}

/** By id, those behind `after`. */
export function listAll(db: Queryable, after: string, limit: number): Promise<KeptRepository[]> {
  return db.query(statements.listAll, [after, limit]);
}

/** Those of `ids` without a row. */
export async function findUnknown(db: Queryable, ids: readonly string[]): Promise<string[]> {
  const rows = await db.query(statements.findUnknown, [ids]);
  return rows.map(({ id }) => id);
}
