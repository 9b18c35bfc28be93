/** Keeps the schedules of pipeline files as the default branches list them. */
import type { Database } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { ScheduledRuns } from "../../pipelines/domain.ts";
import { compareFiles } from "./compare-files.ts";
import { claimMarks, removeMark, type ScheduleMark } from "./marks.store.ts";
import * as store from "./schedules.store.ts";

export interface ReadFilesDeps {
  db: Database;
  logger: Logger;
  runs: Pick<ScheduledRuns, "listed">;
}

const batch = 20;

/** Gives how many repositories were read; one that could not be is read again after half a minute. */
export function createReadFiles({ db, logger, runs }: ReadFilesDeps): () => Promise<number> {
  async function readOne(mark: ScheduleMark): Promise<void> {
    const { repository_id: repositoryId } = mark;
    const listed = (await runs.listed(repositoryId)) ?? [];
    await db.transaction(async (tx) => {
      const rows = await store.listOfFiles(tx, repositoryId);
      const found = { repositoryId, rows, listed, by: mark, nowMs: Date.now(), newId: () => newId("sched") };
      const { added, changed, removed } = compareFiles(found);
      for (const id of removed) await store.deleteSchedule(tx, repositoryId, id);
      for (const schedule of changed) await store.updateSchedule(tx, schedule);
      for (const schedule of added) await store.insertSchedule(tx, schedule);
      await removeMark(tx, mark);
      if (added.length + changed.length > 0) await tx.notify("schedule", "");
    });
  }
  return async () => {
    const marks = await claimMarks(db, batch);
    for (const mark of marks) {
      try {
        await readOne(mark);
      } catch (error) {
        logger.warn({ err: error, repository_id: mark.repository_id }, "could not read schedules of files");
      }
    }
    return marks.length;
  };
}
