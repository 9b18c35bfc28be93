/** What the instance does for exports of audit logs from time to time. */
import type { Database } from "../../../platform/db/database.ts";
import type { UpkeepTask } from "../../../platform/upkeep-task.ts";
import * as store from "./audit-exports.store.ts";
import type { ExportFiles } from "./export-files.ts";

const everyMs = 60 * 60 * 1000;

export function createAuditExportUpkeep({ db, files }: { db: Database; files: ExportFiles }): {
  upkeepTasks: UpkeepTask[];
} {
  async function run(signal: AbortSignal): Promise<void> {
    for (let ids = await store.listOldFiles(db); ids.length > 0; ids = await store.listOldFiles(db)) {
      for (const id of ids) {
        signal.throwIfAborted();
        await files.removeAll(id);
        await store.noteRemoved(db, id);
      }
    }
    await store.deleteOldExports(db);
    // Of organizations that were deleted, and of exports whose rows went while a worker wrote.
    for await (const id of files.exportIds()) {
      signal.throwIfAborted();
      if (!(await store.findOwner(db, id))) await files.removeAll(id);
    }
  }
  return { upkeepTasks: [{ name: "remove_old_audit_exports", everyMs, run }] };
}
