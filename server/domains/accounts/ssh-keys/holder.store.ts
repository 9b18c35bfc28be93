/** Rows of `ssh_keys` by fingerprint, of people and repositories. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { HolderRows } from "./holder.rows.ts";

const holders = `select k.id, k.kind, k.public_key, k.repository_id, k.permission, u.id as user_id, u.username,
    u.type as user_type, u.is_admin, n.full_name as repository
  from ssh_keys k
  left join users u on u.id = coalesce(k.user_id, k.added_by) and not u.suspended
  left join repository_names n on n.repository_id = k.repository_id and n.deleted_at is null
  where (n.repository_id is not null or k.user_id is not null and u.id is not null)`;

type Held =
  | { repository_id: null; user_id: string; username: string; user_type: "user" | "bot"; is_admin: boolean }
  | { repository_id: string; repository: string; permission: "read" | "write" };

interface Known {
  /** The owner of a person's key; for a repository's key, the user who added it, null if gone or suspended. */
  findHolder: Held;
  findHolderById: Held;
}

export const statements = defineStatements<HolderRows, Known>({
  findHolder: `${holders} and k.fingerprint = $1`,
  findHolderById: `${holders} and k.id = $1`,
  touchKey: `
    update ssh_keys set last_used_at = now()
    where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
});

export type HolderRow = RowOf<typeof statements.findHolder>;

/** Undefined also for a person's key while the person is suspended, and for the key of a deleted repository. */
export function findHolder(db: Queryable, fingerprint: string): Promise<HolderRow | undefined> {
  return db.one(statements.findHolder, [fingerprint]);
}

/** As `findHolder`, for what was derived from the key. */
export function findHolderById(db: Queryable, keyId: string): Promise<HolderRow | undefined> {
  return db.one(statements.findHolderById, [keyId]);
}

/** Writes at most once a minute for a key, whatever the number of servers. */
export async function touchKey(db: Queryable, keyId: string): Promise<void> {
  await db.query(statements.touchKey, [keyId]);
}
