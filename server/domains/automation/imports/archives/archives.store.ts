/** Rows of `import_archives`, and of what imports have read in them. */
import { archiveDays } from "@forgeline/schemas/imports/archives.ts";
import type { Queryable, Transaction } from "../../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../../platform/db/statement.ts";
import { importSql } from "../import-states.ts";
import type { ArchivesRows } from "./archives.rows.ts";

interface Known {
  /** Only what was stored has a size. */
  listArchives: { size_bytes: number };
  /** As above. */
  findArchive: { size_bytes: number };
  /** As above. */
  noteStored: { size_bytes: number };
}

const columns = "a.id, a.name, a.size_bytes, a.created_at, a.updated_at";
const isRead = `exists (
  select 1 from imports i where i.archive_id = a.id and i.status in (${importSql.from("cancel")}))`;

export const statements = defineStatements<ArchivesRows, Known>({
  lockUser: "select pg_advisory_xact_lock(hashtext('import_archives'), hashtext($1))",
  countArchives: "select count(*)::int as count from import_archives where user_id = $1",
  insertArchive: "insert into import_archives (id, user_id, name) values ($1, $2, $3)",
  noteStored: `
    update import_archives a set size_bytes = $2, updated_at = now() where a.id = $1 returning ${columns}`,
  listArchives: `
    select ${columns} from import_archives a where a.user_id = $1 and a.size_bytes is not null order by a.id desc`,
  findArchive: `
    select ${columns} from import_archives a where a.user_id = $1 and a.id = $2 and a.size_bytes is not null for key share`,
  lockArchive: `
    select a.id, a.name, ${isRead} as is_read from import_archives a where a.user_id = $1 and a.id = $2 for update`,
  deleteArchive: "delete from import_archives where id = $1",
  removeExpired: `
    delete from import_archives a
    where a.id in (
      select a.id from import_archives a
      where a.created_at < now() - interval '${archiveDays} days' and not ${isRead} order by a.id limit 100)
    returning a.id`,
  listPresent: "select id from import_archives where id = any ($1::text[])",
  insertRecords: `
    insert into import_records (import_id, list, number, position, record)
    select $1, x.list, x.number, x.position, x.record
    from jsonb_to_recordset($2::jsonb) as x (list text, number integer, position integer, record jsonb)
    on conflict do nothing`,
  listRecords: `
    select record from import_records
    where import_id = $1 and list = $2 and number = $3 and position >= $4 order by position limit $5`,
  removeRecords: `
    delete from import_records r
    where (r.import_id, r.list, r.number, r.position) in (
      select o.import_id, o.list, o.number, o.position from import_records o join imports i on i.id = o.import_id
      where i.status = 'done' or (i.archive_id is null and i.status not in (${importSql.from("cancel")}))
      limit 5000)
    returning r.import_id`,
});

export type ArchiveRow = RowOf<typeof statements.findArchive>;

/** Of a person, also those that are being uploaded; until the transaction ends nobody begins another one. */
export async function countArchives(tx: Transaction, userId: string): Promise<number> {
  await tx.query(statements.lockUser, [userId]);
  return (await tx.one(statements.countArchives, [userId]))?.count ?? 0;
}

export interface ArchiveRecord {
  list: string;
  /** Of the issue or merge request there; 0: the list is of the whole repository. */
  number: number;
  position: number;
  record: unknown;
}

/** What is there already stays, so all may be written again. `json` is an array of `ArchiveRecord`. */
export async function insertRecords(db: Queryable, importId: string, json: string): Promise<void> {
  await db.query(statements.insertRecords, [importId, json]);
}

/** Whether there may be more. */
export async function removeRecords(db: Queryable): Promise<boolean> {
  return (await db.query(statements.removeRecords)).length > 0;
}
