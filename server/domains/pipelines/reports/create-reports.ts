/** Wires for reports of jobs: reading them, showing them, and removing them when they are old. */
import { maxRepositoryResults } from "@forgeline/schemas/reports/limits.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { RepositoryFiles } from "../../../platform/git/storage/repository-files.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import type { UpkeepTask } from "../../../platform/upkeep-task.ts";
import type { ArtifactContent } from "../artifacts/content.ts";
import { createCoverageService } from "./coverage-service.ts";
import { createReportMetrics } from "./metrics.ts";
import { createReportReader } from "./reader.ts";
import { countWaiting, removeOld, removeSurplus } from "./reports.store.ts";
import { createReportService } from "./service.ts";
import { createTestService } from "./tests-service.ts";
import { removeUnseen } from "./tests.store.ts";

const everyMs = 60 * 60 * 1000;

export interface ReportsDeps {
  db: Database;
  logger: Logger;
  metrics: Metrics;
  content: ArtifactContent;
  files: Pick<RepositoryFiles, "resolveRef">;
  /** Days for which reports are kept. */
  keptDays: number;
}

export function createReports({ db, logger, content, files, keptDays, ...deps }: ReportsDeps) {
  const metrics = createReportMetrics(deps.metrics, () => countWaiting(db));
  async function removeAll(why: "time" | "room", removeSome: () => Promise<number>, signal: AbortSignal) {
    for (let count = 1; count > 0 && !signal.aborted;) {
      count = await removeSome();
      metrics.removed.inc({ why }, count);
    }
  }
  const upkeepTasks: UpkeepTask[] = [
    {
      name: "remove_old_reports",
      everyMs,
      async run(signal) {
        await removeAll("time", () => removeOld(db, keptDays), signal);
        await removeAll("room", () => removeSurplus(db, maxRepositoryResults), signal);
        while (!signal.aborted && (await removeUnseen(db, keptDays)) > 0);
      },
    },
  ];
  return {
    reports: createReportService({ db, files }),
    tests: createTestService({ db }),
    coverage: createCoverageService({ db }),
    reportReader: createReportReader({ db, content, logger, metrics }),
    reportUpkeep: { upkeepTasks },
  };
}
