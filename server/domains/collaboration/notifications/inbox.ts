/** The inbox of whoever asks. */
import type {
  Notification,
  NotificationsRead,
  NotificationUpdate,
} from "@forgeline/schemas/notifications/resource.ts";
import type { NotificationQuery } from "@forgeline/schemas/notifications/routes.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import { hasScope } from "../../../platform/access/requirement.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import * as store from "./inbox.store.ts";
import { presentNotification } from "./present.ts";

export interface NotificationService {
  /** Newest first; what they can no longer read is left out. */
  list(actor: Actor, query: NotificationQuery): Promise<{ items: Notification[]; total: number }>;
  countUnread(actor: Actor): Promise<number>;
  /** Throws `not_found`. */
  get(actor: Actor, id: string): Promise<Notification>;
  /** Throws `not_found`. Safe to repeat. */
  update(actor: Actor, id: string, wanted: NotificationUpdate): Promise<Notification>;
  markRead(actor: Actor, wanted: NotificationsRead): Promise<void>;
  /** An issue went to another repository: those who cannot read it there see nothing of it any more. */
  moveItem(tx: Transaction, itemId: string, repositoryId: string): Promise<void>;
}

export function createNotificationService(deps: { db: Database; addresses: Addresses }): NotificationService {
  const { db, addresses } = deps;

  async function get(actor: Actor, id: string): Promise<Notification> {
    const row = await store.find(db, readerOf(actor), id);
    if (!row) throw new AppError("not_found");
    return presentNotification(row, addresses);
  }

  return {
    async list(actor, query) {
      const { rows, total } = await store.list(db, readerOf(actor), query);
      return { items: rows.map((row) => presentNotification(row, addresses)), total };
    },
    countUnread: (actor) => store.countUnread(db, readerOf(actor)),
    get,
    async update(actor, id, { unread = null, saved = null, done = null }) {
      await get(actor, id);
      await db.query(store.statements.update, [userIdOf(actor), id, unread, saved, done]);
      return get(actor, id);
    },
    async markRead(actor, { last_read_at: at = null, repository = null }) {
      const { userId, kinds } = readerOf(actor);
      await db.query(store.statements.markRead, [userId, kinds, at, repository]);
    },
    async moveItem(tx, itemId, repositoryId) {
      await tx.query(store.statements.moveNotifications, [itemId, repositoryId]);
      await tx.query(store.statements.moveTellings, [itemId, repositoryId]);
    },
  };
}

/** Titles are shown to tokens that may read what they are of. */
function readerOf(actor: Actor): store.Reader {
  const kinds: store.Reader["kinds"] = [
    ...(hasScope(actor, "issue:read") ? (["issue"] as const) : []),
    ...(hasScope(actor, "mr:read") ? (["merge_request"] as const) : []),
  ];
  return { userId: userIdOf(actor), isAdmin: actor.isAdmin, kinds };
}
