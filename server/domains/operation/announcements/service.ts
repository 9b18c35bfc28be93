/** Announcements of administrators to everybody who uses the instance. */
import type { AnnouncementCreate } from "@forgeline/schemas/administration/resource.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Database } from "../../../platform/db/database.ts";
import { AppError, invalidFields } from "../../../platform/app-error.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit } from "../audit/record.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import * as store from "./announcements.store.ts";
import type { AnnouncementRow } from "./announcements.store.ts";

export interface AnnouncementService {
  list(page: PageQuery): Promise<{ rows: AnnouncementRow[]; total: number }>;
  /** At most twenty. */
  listCurrent(): Promise<AnnouncementRow[]>;
  /** Throws `not_found`. */
  get(id: string): Promise<AnnouncementRow>;
  /** Throws `validation_failed` for one that would end before it begins. */
  create(actor: Actor, wanted: AnnouncementCreate): Promise<AnnouncementRow>;
  /** Throws `not_found`. */
  remove(actor: Actor, id: string): Promise<void>;
}

export function createAnnouncementService(deps: { db: Database }): AnnouncementService {
  const { db } = deps;
  return {
    list: (page) => store.listAnnouncements(db, page),
    listCurrent: () => store.listCurrent(db),
    async get(id) {
      const row = await store.findAnnouncement(db, id);
      if (!row) throw new AppError("not_found");
      return row;
    },
    async create(actor, { message, level, starts_at: startsAt = null, ends_at: endsAt = null }) {
      if (endsAt !== null && Date.parse(endsAt) <= (startsAt === null ? Date.now() : Date.parse(startsAt)))
        throw invalidFields([endsTooEarly]);
      const id = newId("ann");
      return db.transaction(async (tx) => {
        const row = await store.insertAnnouncement(tx, { id, message, level, startsAt, endsAt });
        await recordAudit(tx, actor, {
          action: "admin.announcement_create",
          target: { type: "announcement", id, name: message.slice(0, 100) },
        });
        return row;
      });
    },
    async remove(actor, id) {
      await db.transaction(async (tx) => {
        const row = await store.deleteAnnouncement(tx, id);
        if (!row) throw new AppError("not_found");
        await recordAudit(tx, actor, {
          action: "admin.announcement_delete",
          target: { type: "announcement", id, name: row.message.slice(0, 100) },
        });
      });
    },
  };
}

const endsTooEarly = { field: "ends_at", code: "invalid", message: "It would end before it starts." };
