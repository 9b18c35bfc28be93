/** What the instance does for imports from time to time. */
import type { Database } from "../../../platform/db/database.ts";
import type { UpkeepTask } from "../../../platform/upkeep-task.ts";
import { removeOld } from "./imports.store.ts";

export function createImportUpkeep(db: Database): { upkeepTasks: UpkeepTask[] } {
  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await removeOld(db)) > 0);
  }
  return { upkeepTasks: [{ name: "remove_old_imports", everyMs: 60 * 60 * 1000, run }] };
}
