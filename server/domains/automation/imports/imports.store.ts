/** Rows of `imports`, of what they have written, and of their reports. */
import { maxImportNotes, type ImportKind } from "@forgeline/schemas/imports/resource.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { levelSql } from "../../policy/domain.ts";
import { importSql } from "./import-states.ts";
import type { ImportStepName } from "./source-reader.ts";
import type { ImportsRows } from "./imports.rows.ts";

interface Row {
  /** As `insertImport` was given them; so are the following. */
  include: ImportKind[];
  /** By login there, in lower case. */
  users: Record<string, string>;
  /** As `users`. */
  agreed: Record<string, string>;
  /** Written by `moveOn`. */
  progress: Partial<Record<ImportKind, number>>;
  /** As above. */
  step: ImportStepName;
}

interface Known {
  /** Why is said there. */
  findImport: Row;
  /** As above. */
  findSeen: Row;
  /** As above. */
  listImports: Row;
  /** As above. */
  listInto: Row;
  /** As above. */
  begin: Row;
  /** As above. */
  lockImport: Row;
  /** As above. */
  findOpenInto: Row;
}

const columns = `i.id, i.repository_id, i.repository_name, i.source, i.api_url, i.host, i.source_path, i.archive_id, i.from_archive, i.include, i.users, i.agreed, i.sealed_token,
  i.status, i.attempt, i.step, i.page, i.cursor, i.item_number, i.number_offset, i.last_number, i.progress, i.left_out, i.failures, i.resumes_at,
  i.records_read, i.begun_at, i.error, i.created_by, i.created_at, i.updated_at, i.finished_at`;
const withNames = "from imports i left join users u on u.id = i.created_by";
const own = "where i.created_by = $1";
const level = levelSql({ repository: "r", user: "$1::text", admin: "$3::boolean" });
const into = "where i.repository_id = $1";
const { from, to } = importSql;
/** Those that have not ended. */
const open = `(${from("cancel")})`;

/**
 * Oneself, and for owners of the organization its members, unless they were merely put into it: nobody else's name is put under texts by
 * those who import them.
 */
const mappable = `not u.suspended and (u.id = $2 or exists (
  select 1 from organization_members om join organization_members me on me.organization_id = om.organization_id
    join owners o on o.id = om.organization_id
  where om.user_id = u.id and om.agreed and me.user_id = $2 and me.role = 'owner' and lower(o.name) = lower($3)))`;

export const statements = defineStatements<ImportsRows, Known>({
  lockOwner: "select pg_advisory_xact_lock(hashtext('imports'), hashtext($1))",
  countOpen: `select count(*)::int as count from imports where created_by = $1 and status in ${open}`,
  insertImport: `
    insert into imports (id, repository_id, repository_name, source, api_url, host, source_path, include, users, sealed_token, step, created_by,
      archive_id, from_archive)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10, $11, $12, $13, $13::text is not null)`,
  findImport: `select ${columns}, u.username as requested_by ${withNames} where i.id = $1`,
  listImports: `select ${columns}, u.username as requested_by ${withNames} ${own} order by i.id desc limit $2 offset $3`,
  findSeen: `
    select ${columns}, u.username as requested_by ${withNames} left join repositories r on r.id = i.repository_id
    where i.id = $2 and (i.created_by = $1 or (r.id is not null and ${level} >= 'admin'))`,
  listInto: `select ${columns}, u.username as requested_by ${withNames} ${into} order by i.id desc limit $2 offset $3`,
  findRepository:
    "select rn.repository_id from repository_names rn where lower(rn.full_name) = lower($1) and rn.deleted_at is null",
  lockImport: `select ${columns} from imports i where i.id = $1 for no key update`,
  begin: `
    update imports i set status = ${to("begin")}, resumes_at = null, updated_at = now()
    where i.id = $1 and i.attempt = $2 and i.status in (${from("begin")}) returning ${columns}`,
  moveOn: `
    update imports set step = $2, page = $3, item_number = $4, progress = $5::jsonb, left_out = left_out + $6, failures = 0,
      records_read = records_read + $7, cursor = $8, updated_at = now()
    where id = $1`,
  setNumbers: "update imports set number_offset = $2, last_number = $3 where id = $1",
  pause: `
    update imports set status = ${to("pause")}, resumes_at = now() + $3 * interval '1 millisecond', updated_at = now()
    where id = $1 and attempt = $2 and status in (${from("pause")})`,
  noteFailure: `
    update imports set failures = failures + 1, updated_at = now() where id = $1 and attempt = $2 and status = 'running'
    returning failures`,
  endImport: `
    update imports set status = $2, error = $3, sealed_token = null, resumes_at = null, finished_at = now(), updated_at = now()
    where id = $1 and status in ${open} returning id`,
  findOpenInto: `
    select ${columns} from imports i where i.repository_id = $1 and i.status in ${open} for no key update`,
  retryImport: `
    update imports set status = ${to("retry")}, attempt = attempt + 1, error = null, failures = 0, sealed_token = $2, finished_at = null,
      users = $3::jsonb, begun_at = now(), updated_at = now()
    where id = $1 and status in (${from("retry")}) returning attempt`,
  removeItems: "delete from import_items where import_id = $1",
  removeOld: `
    with old as (
      select id from imports where status not in ${open} and (created_by is null or finished_at < now() - interval '90 days')
      order by id limit 10)
    delete from imports i using old where i.id = old.id returning i.id`,
  knownItems: `
    select source_id, local_id from import_items where import_id = $1 and kind = $2 and source_id = any ($3::text[])`,
  insertItems: `
    insert into import_items (import_id, kind, source_id, local_id)
    select $1, x.kind, x.source_id, x.local_id from jsonb_to_recordset($2::jsonb) as x (kind text, source_id text, local_id text)
    on conflict do nothing`,
  insertNotes: `
    insert into import_notes (import_id, kind, source_id, reason)
    select $1, x.kind, x.source_id, x.reason from jsonb_to_recordset($2::jsonb) as x (kind text, source_id text, reason text)
    where (select count(*) from import_notes n where n.import_id = $1) < ${maxImportNotes}
    on conflict do nothing`,
  listNotes: `
    select n.kind, n.source_id, n.reason from import_notes n where n.import_id = $1 order by n.id limit $2 offset $3`,
  knownUsers: "select id from users where id = any ($1::text[])",
  findMappable: `
    select u.id, lower(u.username) as name from users u where lower(u.username) = any ($1::text[]) and ${mappable}`,
  stillMappable: `select u.id from users u where u.id = any ($1::text[]) and ${mappable}`,
  forgetUsers: "update imports set users = '{}' where repository_id = $1",
});

export type ImportRow = RowOf<typeof statements.findImport>;
export type BegunImport = RowOf<typeof statements.begin>;

export interface NewImport {
  id: string;
  repositoryId: string;
  repositoryName: string;
  source: string;
  apiUrl: string;
  host: string;
  sourcePath: string;
  include: readonly ImportKind[];
  users: Readonly<Record<string, string>>;
  sealedToken: Buffer | null;
  step: ImportStepName;
  userId: string;
  archiveId: string | null;
}

/** Of a person, that have not ended; until the transaction ends nobody begins another one. */
export async function countOpen(tx: Transaction, userId: string): Promise<number> {
  await tx.query(statements.lockOwner, [userId]);
  return (await tx.one(statements.countOpen, [userId]))?.count ?? 0;
}

export async function insertImport(tx: Transaction, row: NewImport): Promise<void> {
  const { id, repositoryId, repositoryName, source, apiUrl, host, sourcePath, include, users } = row;
  const place = [id, repositoryId, repositoryName, source, apiUrl, host, sourcePath];
  const how = [[...include], JSON.stringify(users), row.sealedToken, row.step, row.userId, row.archiveId];
  await tx.query(statements.insertImport, [...place, ...how]);
}

export function findImport(db: Queryable, id: string): Promise<ImportRow | undefined> {
  return db.one(statements.findImport, [id]);
}

/** For whoever began it, and who administers its repository: one statement, whatever the id is of. */
export function findSeen(
  db: Queryable,
  { userId, isAdmin }: { userId: string; isAdmin: boolean },
  id: string,
): Promise<ImportRow | undefined> {
  return db.one(statements.findSeen, [userId, id, isAdmin]);
}

/** Newest first. */
export async function listImports(
  db: Queryable,
  userId: string,
  page: PageQuery,
): Promise<{ rows: ImportRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.query(statements.listImports, [userId, page.per_page, offsetOf(page)]),
    countRows(db, `${withNames} ${own}`, [userId]),
  ]);
  return { rows, total };
}

/** Those into one repository, newest first. */
export async function listInto(
  db: Queryable,
  repositoryId: string,
  page: PageQuery,
): Promise<{ rows: ImportRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.query(statements.listInto, [repositoryId, page.per_page, offsetOf(page)]),
    countRows(db, `${withNames} ${into}`, [repositoryId]),
  ]);
  return { rows, total };
}

/** Undefined where it has ended, or goes on in another attempt. */
export function begin(
  db: Queryable,
  { importId, attempt }: { importId: string; attempt: number },
): Promise<BegunImport | undefined> {
  return db.one(statements.begin, [importId, attempt]);
}

/** Until the transaction ends. */
export function lockImport(tx: Transaction, id: string): Promise<BegunImport | undefined> {
  return tx.one(statements.lockImport, [id]);
}

export interface Cursor {
  step: ImportStepName;
  page: number;
  cursor: string | null;
  itemNumber: number;
}

export interface MovedOn {
  to: Cursor;
  progress: BegunImport["progress"];
  leftOut: number;
  /** Records and pages. */
  read: number;
}

export async function moveOn(
  tx: Transaction,
  id: string,
  { to, progress, leftOut, read }: MovedOn,
): Promise<void> {
  const { step, page, cursor, itemNumber } = to;
  const counts = [JSON.stringify(progress), leftOut, read];
  await tx.query(statements.moveOn, [id, step, page, itemNumber, ...counts, cursor]);
}

/** False where it had ended. */
export async function endImport(
  tx: Transaction,
  id: string,
  { status, error }: { status: "done" | "failed" | "cancelled"; error: string | null },
): Promise<boolean> {
  const hasEnded = (await tx.one(statements.endImport, [id, status, error])) !== undefined;
  // Only one that goes on has to know what it has written.
  if (hasEnded && status === "done") await tx.query(statements.removeItems, [id]);
  return hasEnded;
}

/** With their reports: those that nobody can see, and those that ended long ago. How many; call it again until there are none. */
export async function removeOld(db: Queryable): Promise<number> {
  return (await db.query(statements.removeOld)).length;
}

export interface Note {
  kind: string;
  source: string;
  reason: string;
}

export async function insertNotes(tx: Transaction, id: string, notes: readonly Note[]): Promise<void> {
  if (notes.length === 0) return;
  const rows = notes.map(({ kind, source, reason }) => ({ kind, source_id: source, reason }));
  await tx.query(statements.insertNotes, [id, JSON.stringify(rows)]);
}

export async function listNotes(
  db: Queryable,
  id: string,
  page: PageQuery,
): Promise<{ rows: Note[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.query(statements.listNotes, [id, page.per_page, offsetOf(page)]),
    countRows(db, "from import_notes n where n.import_id = $1", [id]),
  ]);
  return { rows: rows.map(({ kind, source_id: source, reason }) => ({ kind, source, reason })), total };
}

/** What was written before, by its id there. */
export async function knownItems(
  tx: Transaction,
  id: string,
  { kind, sources }: { kind: string; sources: readonly string[] },
): Promise<Map<string, string>> {
  if (sources.length === 0) return new Map();
  const rows = await tx.query(statements.knownItems, [id, kind, [...sources]]);
  return new Map(rows.map((row) => [row.source_id, row.local_id]));
}

export interface ItemWritten {
  kind: string;
  source_id: string;
  local_id: string;
}

export async function insertItems(tx: Transaction, id: string, items: readonly ItemWritten[]): Promise<void> {
  if (items.length > 0) await tx.query(statements.insertItems, [id, JSON.stringify(items)]);
}
