/** Rows of `ssh_keys` that are repositories'. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";

export interface DeployKeyRow {
  id: string;
  title: string;
  permission: "read" | "write";
  kind: string;
  public_key: string;
  fingerprint: string;
  added_by: string | null;
  last_used_at: Date | null;
  created_at: Date;
}

export interface NewDeployKey {
  id: string;
  repositoryId: string;
  title: string;
  permission: "read" | "write";
  kind: string;
  text: string;
  fingerprint: string;
  addedBy: string | null;
}

const columns = `k.id, k.title, k.permission, k.kind, k.public_key, k.fingerprint, k.last_used_at, k.created_at,
  (select u.username from users u where u.id = k.added_by) as added_by`;

/** Undefined when the key is somebody's already. */
export function insertDeployKey(tx: Queryable, key: NewDeployKey): Promise<DeployKeyRow | undefined> {
  return tx.one<DeployKeyRow>(
    `insert into ssh_keys as k (id, repository_id, title, permission, kind, public_key, fingerprint, added_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (fingerprint) do nothing returning ${columns}`,
    [key.id, key.repositoryId, key.title, key.permission, key.kind, key.text, key.fingerprint, key.addedBy],
  );
}

/** How many keys a repository has, which is held until the transaction ends; undefined when it is gone. */
export async function holdAndCount(tx: Queryable, repositoryId: string): Promise<number | undefined> {
  const held = await tx.one(
    "select id from repositories where id = $1 and deleted_at is null for no key update",
    [repositoryId],
  );
  if (!held) return undefined;
  const counted = await tx.one<{ keys: number }>(
    "select count(*) as keys from ssh_keys where repository_id = $1",
    [repositoryId],
  );
  return counted?.keys ?? 0;
}

export async function listDeployKeys(
  db: Queryable,
  repositoryId: string,
  page: PageQuery,
): Promise<{ rows: DeployKeyRow[]; total: number }> {
  const from = "from ssh_keys k where k.repository_id = $1";
  const total = await countRows(db, from, [repositoryId]);
  const rows = await db.query<DeployKeyRow>(
    `select ${columns} ${from} order by k.id desc limit $2 offset $3`,
    [repositoryId, page.per_page, offsetOf(page)],
  );
  return { rows, total };
}

export function findDeployKey(
  db: Queryable,
  repositoryId: string,
  id: string,
): Promise<DeployKeyRow | undefined> {
  return db.one<DeployKeyRow>(`select ${columns} from ssh_keys k where k.repository_id = $1 and k.id = $2`, [
    repositoryId,
    id,
  ]);
}

export function deleteDeployKey(
  tx: Queryable,
  repositoryId: string,
  id: string,
): Promise<DeployKeyRow | undefined> {
  return tx.one<DeployKeyRow>(
    `delete from ssh_keys k where k.repository_id = $1 and k.id = $2 returning ${columns}`,
    [repositoryId, id],
  );
}
