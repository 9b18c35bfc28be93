/**
 * After a restore the target may be newer than what is here. Without `force` nothing there is overwritten; with it everything would
 * be, so such mirrors wait until somebody has looked.
 */
import type { Database } from "../../../platform/db/database.ts";
import { stopped } from "../mirrors/sync-lifecycle.ts";
import { stopOfMirror } from "../mirrors/syncs.store.ts";
import { pauseRestored } from "./push-mirrors.store.ts";
import { addPushScheduleIntent } from "./schedules.ts";

/** Pauses them, and ends syncs that the backup found running; their repositories and targets. */
export function pauseForcingMirrors(db: Database): Promise<{ name: string; url: string }[]> {
  return db.transaction(async (tx) => {
    const paused = await pauseRestored(tx);
    for (const mirror of paused) {
      await stopOfMirror(tx, mirror.id, stopped);
      await addPushScheduleIntent(tx, mirror);
    }
    return paused.map(({ name, url }) => ({ name, url }));
  });
}
