/** Rows of `ssh_keys` by fingerprint, whoever's they are. */
import type { Queryable } from "../../../platform/db/database.ts";

interface KeyRow {
  id: string;
  kind: string;
  public_key: string;
}

interface PersonsKeyRow extends KeyRow {
  repository_id: null;
  user_id: string;
  username: string;
  user_type: "user" | "bot";
  is_admin: boolean;
}

interface RepositorysKeyRow extends KeyRow {
  repository_id: string;
  repository: string;
  permission: "read" | "write";
  /** Of who added it; null when that user is gone or suspended. */
  user_id: string | null;
  username: string | null;
}

export type HolderRow = PersonsKeyRow | RepositorysKeyRow;

/** Undefined also for a person's key while the person is suspended, and for the key of a deleted repository. */
export function findHolder(db: Queryable, fingerprint: string): Promise<HolderRow | undefined> {
  return db.one<HolderRow>(`${holders} and k.fingerprint = $1`, [fingerprint]);
}

/** As `findHolder`, for what was derived from the key. */
export function findHolderById(db: Queryable, keyId: string): Promise<HolderRow | undefined> {
  return db.one<HolderRow>(`${holders} and k.id = $1`, [keyId]);
}

const holders = `select k.id, k.kind, k.public_key, k.repository_id, k.permission, u.id as user_id, u.username,
    u.type as user_type, u.is_admin, o.name || '/' || r.name as repository
  from ssh_keys k
  left join users u on u.id = coalesce(k.user_id, k.added_by) and not u.suspended
  left join repositories r on r.id = k.repository_id and r.deleted_at is null
  left join owners o on o.id = r.owner_id
  where (r.id is not null or k.user_id is not null and u.id is not null)`;

/** Writes at most once a minute for a key, whatever the number of servers. */
export async function touchKey(db: Queryable, keyId: string): Promise<void> {
  await db.query(
    `update ssh_keys set last_used_at = now()
     where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    [keyId],
  );
}
