import type { Queryable } from "@forgeline/server/platform/db/database.ts";
import { eventually } from "./eventually.ts";

/** Resolves when a statement waits for a lock in the database of `db`. */
export function lockWait(db: Queryable): Promise<boolean> {
  return eventually(async () => {
    const waiting =
      "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    return (await db.query(waiting)).length > 0;
  });
}
