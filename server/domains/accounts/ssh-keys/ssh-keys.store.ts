/** Rows of `ssh_keys` that belong to people. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { SshKeysRows } from "./ssh-keys.rows.ts";

export type SshKeyRow = SshKeysRows["insertSshKey"];

const columns = "id, title, kind, public_key, fingerprint, last_used_at, created_at";

export const statements = defineStatements<SshKeysRows>({
  insertSshKey: `
    insert into ssh_keys (id, user_id, title, kind, public_key, fingerprint) values ($1, $2, $3, $4, $5, $6)
    on conflict (fingerprint) do nothing returning ${columns}`,
  countSshKeys: `select count(*) as total from ssh_keys where user_id = $1`,
  listSshKeys: `select ${columns} from ssh_keys where user_id = $1 order by id desc limit $2 offset $3`,
  findSshKey: `select ${columns} from ssh_keys where user_id = $1 and id = $2`,
  deleteSshKey: `delete from ssh_keys where user_id = $1 and id = $2 returning ${columns}`,
});

/** Undefined when somebody has the key. */
export function insertSshKey(
  db: Queryable,
  key: { id: string; userId: string; title: string; kind: string; text: string; fingerprint: string },
): Promise<SshKeyRow | undefined> {
  return db.one(statements.insertSshKey, [
    key.id,
    key.userId,
    key.title,
    key.kind,
    key.text,
    key.fingerprint,
  ]);
}

export async function listSshKeys(
  db: Queryable,
  userId: string,
  page: PageQuery,
): Promise<{ rows: SshKeyRow[]; total: number }> {
  const counted = await db.one(statements.countSshKeys, [userId]);
  const rows = await db.query(statements.listSshKeys, [userId, page.per_page, offsetOf(page)]);
  return { rows, total: counted?.total ?? 0 };
}

export function findSshKey(db: Queryable, userId: string, id: string): Promise<SshKeyRow | undefined> {
  return db.one(statements.findSshKey, [userId, id]);
}

export function deleteSshKey(db: Queryable, userId: string, id: string): Promise<SshKeyRow | undefined> {
  return db.one(statements.deleteSshKey, [userId, id]);
}
