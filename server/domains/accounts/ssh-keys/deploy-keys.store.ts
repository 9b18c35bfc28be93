/** Rows of `ssh_keys` that belong to repositories. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { DeployKeysRows } from "./deploy-keys.rows.ts";
import { offsetOf } from "../../../platform/db/page.ts";

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
const ofRepository = "from ssh_keys k where k.repository_id = $1";

interface Known {
  /** Only people's keys have none. */
  insertDeployKey: { permission: "read" | "write" };
  listDeployKeys: { permission: "read" | "write" };
  findDeployKey: { permission: "read" | "write" };
  deleteDeployKey: { permission: "read" | "write" };
}

export const statements = defineStatements<DeployKeysRows, Known>({
  insertDeployKey: `
    insert into ssh_keys as k (id, repository_id, title, permission, kind, public_key, fingerprint, added_by)
    values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (fingerprint) do nothing returning ${columns}`,
  countKeys: "select count(*) as keys from ssh_keys where repository_id = $1",
  listDeployKeys: `select ${columns} ${ofRepository} order by k.id desc limit $2 offset $3`,
  findDeployKey: `select ${columns} from ssh_keys k where k.repository_id = $1 and k.id = $2`,
  deleteDeployKey: `delete from ssh_keys k where k.repository_id = $1 and k.id = $2 returning ${columns}`,
});

export type DeployKeyRow = RowOf<typeof statements.insertDeployKey>;

/** Undefined if the key is already in use. */
export function insertDeployKey(tx: Queryable, key: NewDeployKey): Promise<DeployKeyRow | undefined> {
  return tx.one(statements.insertDeployKey, [
    key.id,
    key.repositoryId,
    key.title,
    key.permission,
    key.kind,
    key.text,
    key.fingerprint,
    key.addedBy,
  ]);
}

export async function countKeys(tx: Queryable, repositoryId: string): Promise<number> {
  const counted = await tx.one(statements.countKeys, [repositoryId]);
  return counted?.keys ?? 0;
}

export async function listDeployKeys(
  db: Queryable,
  repositoryId: string,
  page: PageQuery,
): Promise<{ rows: DeployKeyRow[]; total: number }> {
  const total = await countRows(db, ofRepository, [repositoryId]);
  const rows = await db.query(statements.listDeployKeys, [repositoryId, page.per_page, offsetOf(page)]);
  return { rows, total };
}

export function findDeployKey(
  db: Queryable,
  repositoryId: string,
  id: string,
): Promise<DeployKeyRow | undefined> {
  return db.one(statements.findDeployKey, [repositoryId, id]);
}

export function deleteDeployKey(
  tx: Queryable,
  repositoryId: string,
  id: string,
): Promise<DeployKeyRow | undefined> {
  return tx.one(statements.deleteDeployKey, [repositoryId, id]);
}
