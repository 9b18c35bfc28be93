/** Rows of `announcements`. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Database, Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import type { AnnouncementsRows } from "./announcements.rows.ts";

export type AnnouncementRow = AnnouncementsRows["insertAnnouncement"];

const columns = "id, message, level, starts_at, ends_at, created_at, updated_at";

export const statements = defineStatements<AnnouncementsRows>({
  insertAnnouncement: `
    insert into announcements (id, message, level, starts_at, ends_at)
    values ($1, $2, $3, coalesce($4::timestamptz, now()), $5) returning ${columns}`,
  listAnnouncements: `select ${columns} from announcements order by id desc limit $1 offset $2`,
  listCurrent: `
    select ${columns} from announcements where starts_at <= now() and (ends_at is null or ends_at > now())
    order by starts_at desc, id desc limit 20`,
  findAnnouncement: `select ${columns} from announcements where id = $1`,
  deleteAnnouncement: `delete from announcements where id = $1 returning ${columns}`,
});

export async function insertAnnouncement(
  db: Queryable,
  wanted: { id: string; message: string; level: string; startsAt: string | null; endsAt: string | null },
): Promise<AnnouncementRow> {
  const row = await db.one(statements.insertAnnouncement, [
    wanted.id,
    wanted.message,
    wanted.level,
    wanted.startsAt,
    wanted.endsAt,
  ]);
  if (!row) throw new Error("the insert gave no row");
  return row;
}

export async function listAnnouncements(
  db: Database,
  page: PageQuery,
): Promise<{ rows: AnnouncementRow[]; total: number }> {
  const rows = await db.query(statements.listAnnouncements, [page.per_page, offsetOf(page)]);
  return { rows, total: await countRows(db, "from announcements", []) };
}

/** The current ones, newest first. */
export function listCurrent(db: Queryable): Promise<AnnouncementRow[]> {
  return db.query(statements.listCurrent);
}

export function findAnnouncement(db: Queryable, id: string): Promise<AnnouncementRow | undefined> {
  return db.one(statements.findAnnouncement, [id]);
}

export function deleteAnnouncement(db: Queryable, id: string): Promise<AnnouncementRow | undefined> {
  return db.one(statements.deleteAnnouncement, [id]);
}
