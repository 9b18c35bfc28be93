import { eventually } from "./eventually.ts";
import type { TextDatabase } from "./text-database.ts";

/** Resolves when a statement, or as many as `count`, waits for a lock in the database of `db`. */
export function lockWait(db: TextDatabase, count = 1): Promise<boolean> {
  return eventually(async () => {
    const waiting =
      "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    return (await db.query(waiting)).length >= count;
  });
}
