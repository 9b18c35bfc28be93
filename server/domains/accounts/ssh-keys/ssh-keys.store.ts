/** Rows of `ssh_keys` that are people's. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Queryable } from "../../../platform/db/database.ts";

export interface SshKeyRow {
  id: string;
  title: string;
  kind: string;
  public_key: string;
  fingerprint: string;
  last_used_at: Date | null;
  created_at: Date;
}

const columns = "id, title, kind, public_key, fingerprint, last_used_at, created_at";

/** Undefined when somebody has the key. */
export function insertSshKey(
  db: Queryable,
  key: { id: string; userId: string; title: string; kind: string; text: string; fingerprint: string },
): Promise<SshKeyRow | undefined> {
  return db.one<SshKeyRow>(
    `insert into ssh_keys (id, user_id, title, kind, public_key, fingerprint) values ($1, $2, $3, $4, $5, $6)
     on conflict (fingerprint) do nothing returning ${columns}`,
    [key.id, key.userId, key.title, key.kind, key.text, key.fingerprint],
  );
}

export async function listSshKeys(
  db: Queryable,
  userId: string,
  page: PageQuery,
): Promise<{ rows: SshKeyRow[]; total: number }> {
  const counted = await db.one<{ total: number }>(
    `select count(*) as total from ssh_keys where user_id = $1`,
    [userId],
  );
  const rows = await db.query<SshKeyRow>(
    `select ${columns} from ssh_keys where user_id = $1 order by id desc limit $2 offset $3`,
    [userId, page.per_page, Math.min((page.page - 1) * page.per_page, Number.MAX_SAFE_INTEGER)],
  );
  return { rows, total: counted?.total ?? 0 };
}

export function findSshKey(db: Queryable, userId: string, id: string): Promise<SshKeyRow | undefined> {
  return db.one<SshKeyRow>(`select ${columns} from ssh_keys where user_id = $1 and id = $2`, [userId, id]);
}

export function deleteSshKey(db: Queryable, userId: string, id: string): Promise<SshKeyRow | undefined> {
  return db.one<SshKeyRow>(`delete from ssh_keys where user_id = $1 and id = $2 returning ${columns}`, [
    userId,
    id,
  ]);
}
