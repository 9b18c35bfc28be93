/** Keeps inboxes bounded. Saved entries stay, unless an inbox has more than it may. */
import type { Database } from "../../../platform/db/database.ts";
import type { UpkeepTask } from "../../../platform/upkeep-task.ts";
import { removeOldReplies } from "../notification-mails/upkeep.ts";
import { statements } from "./inbox.store.ts";

/** Entries in one inbox; the oldest go. */
const maxEntries = 20_000;

export function createNotificationUpkeep(db: Database): { upkeepTasks: UpkeepTask[] } {
  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await db.query(statements.removeOld, [])).length > 0);
    while (!signal.aborted && (await db.query(statements.removeBeyond, [maxEntries])).length > 0);
    await db.query(statements.removeForgotten, []);
    await removeOldReplies(db);
  }
  return { upkeepTasks: [{ name: "remove_old_notifications", everyMs: 6 * 60 * 60 * 1000, run }] };
}
