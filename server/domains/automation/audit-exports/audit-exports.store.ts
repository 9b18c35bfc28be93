/** Rows of `audit_exports`. */
import type { AuditFilters, ExportFormat } from "@forgeline/schemas/audit-exports/resource.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { storableJson } from "../../../platform/storable-text.ts";
import { auditExportSql } from "./audit-export-states.ts";
import type { AuditExportsRows } from "./audit-exports.rows.ts";

const { from, to } = auditExportSql;
const keptDays = 30;
export const fileDays = 7;

interface Row {
  /** As `insertExport` was given them. */
  filters: AuditFilters;
}

interface Known {
  /** The same columns. */
  findExport: Row;
  listExports: Row;
  openFile: Row;
  beginExport: Row;
}

export type ExportRow = RowOf<typeof statements.findExport>;
export type BegunExport = RowOf<typeof statements.beginExport>;

const columns = `x.id, x.organization_id, x.format, x.filters, x.status, x.end_number, x.done_number, x.entry_count, x.size_bytes, x.sha256,
  x.error, x.created_at, x.finished_at, x.removed_at, u.username as requested_by, n.name as organization`;
const withNames = `from audit_exports x left join users u on u.id = x.requested_by
  left join owners n on n.id = x.organization_id`;
const ofLog = `${withNames} where x.organization_id is not distinct from $1`;

export const statements = defineStatements<AuditExportsRows, Known>({
  insertExport: `
    insert into audit_exports (id, organization_id, format, filters, requested_by) values ($1, $2, $3, $4::jsonb, $5)`,
  lockLog: "select pg_advisory_xact_lock(hashtext('audit_exports'), hashtext($1))",
  countOpen: `
    select count(*)::int as count from audit_exports where organization_id is not distinct from $1 and status in ('queued', 'running')`,
  findExport: `select ${columns} ${ofLog} and x.id = $2`,
  findOwner: "select organization_id from audit_exports where id = $1",
  openFile: `select ${columns} ${withNames} where x.id = $1 and x.status = 'done' and x.removed_at is null`,
  listExports: `select ${columns} ${ofLog} order by x.id desc limit $2 offset $3`,
  beginExport: `
    update audit_exports set status = ${to("begin")}, end_number = coalesce(end_number, $2)
    where id = $1 and status in (${from("begin")}, 'running')
    returning id, organization_id, format, filters, end_number, done_number, part_count, entry_count`,
  notePart: `
    update audit_exports set done_number = $2, part_count = $3, entry_count = $4 where id = $1 and status = 'running' returning id`,
  finishExport: `
    update audit_exports set status = ${to("finish")}, finished_at = now(), size_bytes = $2, sha256 = $3
    where id = $1 and status in (${from("finish")}) returning id`,
  failExport: `
    update audit_exports set status = ${to("fail")}, finished_at = now(), error = $2 where id = $1 and status in (${from("fail")}) returning id`,
  deleteExport: `
    delete from audit_exports where organization_id is not distinct from $1 and id = $2 returning id, status, format`,
  listOldFiles: `
    select id from audit_exports where removed_at is null and finished_at < now() - interval '${fileDays} days' order by id limit 100`,
  noteRemoved: "update audit_exports set removed_at = now() where id = $1",
  deleteOldExports: `
    delete from audit_exports where created_at < now() - interval '${keptDays} days' and status in ('done', 'failed')`,
});

export async function insertExport(
  tx: Transaction,
  wanted: { id: string; owner: string | null; format: ExportFormat; filters: AuditFilters; userId: string },
): Promise<void> {
  const { id, owner, format, filters, userId } = wanted;
  await tx.query(statements.insertExport, [id, owner, format, storableJson(filters), userId]);
}

/** Of a log, that are not done; until the transaction ends nobody begins another one. */
export async function countOpen(tx: Transaction, owner: string | null): Promise<number> {
  await tx.query(statements.lockLog, [owner ?? "instance"]);
  return (await tx.one(statements.countOpen, [owner]))?.count ?? 0;
}

export function findExport(db: Queryable, owner: string | null, id: string): Promise<ExportRow | undefined> {
  return db.one(statements.findExport, [owner, id]);
}

/** Whose log it is of; undefined where there is no such export. */
export function findOwner(db: Queryable, id: string): Promise<AuditExportsRows["findOwner"] | undefined> {
  return db.one(statements.findOwner, [id]);
}

/** One whose file is there. */
export function openFile(db: Queryable, id: string): Promise<ExportRow | undefined> {
  return db.one(statements.openFile, [id]);
}

/** Newest first. */
export async function listExports(
  db: Queryable,
  owner: string | null,
  page: { page: number; per_page: number },
): Promise<{ rows: ExportRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.query(statements.listExports, [owner, page.per_page, offsetOf(page)]),
    countRows(db, ofLog, [owner]),
  ]);
  return { rows, total };
}

/** `head`: where the log ends, for one that begins. Undefined where it has ended, or is gone. */
export function beginExport(db: Queryable, id: string, head: number): Promise<BegunExport | undefined> {
  return db.one(statements.beginExport, [id, head]);
}

/** False where it does not run any more. So for the following. */
export async function notePart(
  db: Queryable,
  id: string,
  done: { until: number; parts: number; entries: number },
): Promise<boolean> {
  return (await db.one(statements.notePart, [id, done.until, done.parts, done.entries])) !== undefined;
}

export async function finishExport(
  db: Queryable,
  id: string,
  file: { sizeBytes: number; sha256: string },
): Promise<boolean> {
  return (await db.one(statements.finishExport, [id, file.sizeBytes, file.sha256])) !== undefined;
}

export async function failExport(db: Queryable, id: string, error: string): Promise<boolean> {
  return (await db.one(statements.failExport, [id, error])) !== undefined;
}

export function deleteExport(
  tx: Transaction,
  owner: string | null,
  id: string,
): Promise<AuditExportsRows["deleteExport"] | undefined> {
  return tx.one(statements.deleteExport, [owner, id]);
}

/** Exports whose files have been kept for long enough. */
export async function listOldFiles(db: Queryable): Promise<string[]> {
  return (await db.query(statements.listOldFiles)).map(({ id }) => id);
}

export async function noteRemoved(db: Queryable, id: string): Promise<void> {
  await db.query(statements.noteRemoved, [id]);
}

export async function deleteOldExports(db: Queryable): Promise<void> {
  await db.query(statements.deleteOldExports);
}
