/** Rows of `key_rotations`. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { EncryptedKind } from "@forgeline/schemas/keys/resource.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { KeyRotationsRows } from "./key-rotations.rows.ts";

type Counts = Partial<Record<EncryptedKind, number>>;

interface Known {
  /** The table holds what `noteEncrypted` counts. */
  findRotation: { encrypted: Counts };
  listRotations: { encrypted: Counts };
}

const selected = `
  select k.id, k.key_id, k.encrypted, k.unreadable, k.created_at, k.finished_at, k.cancelled, u.username as requested_by
  from key_rotations k left join users u on u.id = k.requested_by`;

export const statements = defineStatements<KeyRotationsRows, Known>({
  insertRotation: `
    insert into key_rotations (id, requested_by) values ($1, $2)
    on conflict ((true)) where finished_at is null do nothing returning id`,
  findRotation: `${selected} where k.id = $1`,
  listRotations: `${selected} order by k.id desc limit $1 offset $2`,
  countRotations: `select count(*) as total from key_rotations`,
  noteKey: `update key_rotations set key_id = $2 where id = $1 and finished_at is null`,
  noteEncrypted: `
    update key_rotations set
      encrypted = jsonb_set(encrypted, array[$2::text], to_jsonb(coalesce((encrypted ->> $2::text)::bigint, 0) + $3::bigint)),
      unreadable = unreadable + $4::int
    where id = $1 and finished_at is null returning 1`,
  finish: `
    update key_rotations set finished_at = now(), cancelled = $2 where id = $1 and finished_at is null returning 1`,
});

export type RotationRow = KeyRotationsRows["findRotation"] & Known["findRotation"];

/** False while another one is running. */
export async function insertRotation(
  tx: Transaction,
  id: string,
  requestedBy: string | null,
): Promise<boolean> {
  const row = await tx.one(statements.insertRotation, [id, requestedBy]);
  return row !== undefined;
}

export function findRotation(db: Queryable, id: string): Promise<RotationRow | undefined> {
  return db.one(statements.findRotation, [id]);
}

export async function listRotations(
  db: Queryable,
  page: PageQuery,
): Promise<{ rows: RotationRow[]; total: number }> {
  const counted = await db.one(statements.countRotations);
  const rows = await db.query(statements.listRotations, [page.per_page, offsetOf(page)]);
  return { rows, total: counted?.total ?? 0 };
}

export async function noteKey(db: Queryable, id: string, keyId: string): Promise<void> {
  await db.query(statements.noteKey, [id, keyId]);
}

/** Adds to what was counted before; false for one that has ended. */
export async function noteEncrypted(
  tx: Transaction,
  id: string,
  counted: { kind: EncryptedKind; done: number; unreadable: number },
): Promise<boolean> {
  const row = await tx.one(statements.noteEncrypted, [id, counted.kind, counted.done, counted.unreadable]);
  return row !== undefined;
}

/** False for one that has ended already. */
export async function finishRotation(db: Queryable, id: string, cancelled: boolean): Promise<boolean> {
  const row = await db.one(statements.finish, [id, cancelled]);
  return row !== undefined;
}
