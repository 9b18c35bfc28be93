/** Rows of `announcements`. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Database, Queryable } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";

export interface AnnouncementRow {
  id: string;
  message: string;
  level: "info" | "warning";
  starts_at: Date;
  ends_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

const columns = "id, message, level, starts_at, ends_at, created_at, updated_at";

export async function insertAnnouncement(
  db: Queryable,
  wanted: { id: string; message: string; level: string; startsAt: string | null; endsAt: string | null },
): Promise<AnnouncementRow> {
  const row = await db.one<AnnouncementRow>(
    `insert into announcements (id, message, level, starts_at, ends_at)
     values ($1, $2, $3, coalesce($4::timestamptz, now()), $5) returning ${columns}`,
    [wanted.id, wanted.message, wanted.level, wanted.startsAt, wanted.endsAt],
  );
  if (!row) throw new Error("the insert gave no row");
  return row;
}

export async function listAnnouncements(
  db: Database,
  page: PageQuery,
): Promise<{ rows: AnnouncementRow[]; total: number }> {
  const rows = await db.query<AnnouncementRow>(
    `select ${columns} from announcements order by id desc limit $1 offset $2`,
    [page.per_page, offsetOf(page)],
  );
  return { rows, total: await countRows(db, "from announcements", []) };
}

/** Those of this moment, newest first. */
export function listCurrent(db: Queryable): Promise<AnnouncementRow[]> {
  return db.query<AnnouncementRow>(
    `select ${columns} from announcements where starts_at <= now() and (ends_at is null or ends_at > now())
     order by starts_at desc, id desc limit 20`,
  );
}

export function findAnnouncement(db: Queryable, id: string): Promise<AnnouncementRow | undefined> {
  return db.one<AnnouncementRow>(`select ${columns} from announcements where id = $1`, [id]);
}

export function deleteAnnouncement(db: Queryable, id: string): Promise<AnnouncementRow | undefined> {
  return db.one<AnnouncementRow>(`delete from announcements where id = $1 returning ${columns}`, [id]);
}
