/** What the instance does for imports from time to time. */
import type { Database } from "../../../platform/db/database.ts";
import type { ArchiveBytes } from "./archives/archive-bytes.ts";
import { createArchiveUpkeep } from "./archives/archive-upkeep.ts";
import type { UpkeepTask } from "../../../platform/upkeep-task.ts";
import { removeOld } from "./imports.store.ts";

export function createImportUpkeep(deps: { db: Database; archiveBytes: ArchiveBytes }): {
  upkeepTasks: UpkeepTask[];
} {
  const { removeOldArchives } = createArchiveUpkeep(deps);
  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await removeOld(deps.db)) > 0);
    await removeOldArchives(signal);
  }
  return { upkeepTasks: [{ name: "remove_old_imports", everyMs: 60 * 60 * 1000, run }] };
}
