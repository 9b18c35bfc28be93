/** Forgets answers by mail that nobody can send again, and addresses that no longer work. */
import type { Database } from "../../../platform/db/database.ts";
import { statements } from "./replies.store.ts";

export async function removeOldReplies(db: Database): Promise<void> {
  await db.query(statements.removeOldMails, []);
  await db.query(statements.removeOldAddresses, []);
}
