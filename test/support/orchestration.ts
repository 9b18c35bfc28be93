/** Database, relay and worker in this process, on the bed's PostgreSQL and Temporal with a task queue of its own. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import { createDatabase } from "@forgeline/server/platform/db/database.ts";
import { createMaintenanceService } from "@forgeline/server/domains/upkeep/maintenance/service.ts";
import { createStatisticsComputation } from "@forgeline/server/domains/hosting/statistics/computation.ts";
import { createCatFilePool } from "@forgeline/server/platform/git/processes/cat-file.ts";
import { createRunMetrics } from "@forgeline/server/domains/pipelines/runs/metrics.ts";
import { createRunHandler, runKey } from "@forgeline/server/domains/pipelines/runs/run-intents.ts";
import { createRunService } from "@forgeline/server/domains/pipelines/runs/workflow-service.ts";
import type { RunLimits } from "@forgeline/server/domains/pipelines/runs/load-run.ts";
import { createGit } from "@forgeline/server/platform/git/processes/run-git.ts";
import { createRepositoryStorage } from "@forgeline/server/platform/git/storage/storage.ts";
import { createRelay } from "@forgeline/server/platform/outbox/relay.ts";
import { createLogger } from "@forgeline/server/platform/logger.ts";
import { createTemporal, type Temporal } from "@forgeline/server/platform/temporal.ts";
import { workflowBundle } from "@forgeline/workflows/worker/bundle.ts";
import { createWorkflowWorker } from "@forgeline/workflows/worker/create-worker.ts";
import "./quiet-temporal.ts";
import { readBed } from "./bed.ts";
import { bundleCache } from "./bundle-cache.ts";
import { testDatabase } from "./database.ts";
import { noMails } from "./no-mails.ts";
import { shareStarter } from "./share-starter.ts";
import { wideAdmission } from "./wide-admission.ts";
import { withTexts, type TextDatabase } from "./text-database.ts";

export interface Orchestration {
  db: TextDatabase;
  temporal: Temporal;
  /** The database as its owner, who may break it. */
  ownerUrl: string;
  close(): Promise<void>;
}

export async function startOrchestration(limits?: RunLimits): Promise<Orchestration> {
  const [bed, database] = await Promise.all([readBed(), testDatabase()]);
  const logger = createLogger({ name: "test", level: "warn" });
  const db = withTexts(createDatabase({ url: database.url, poolSize: 10, applicationName: "test", logger }));
  const temporal = createTemporal({ address: bed.temporalAddress });
  const taskQueue = `test-${database.name}`;
  const relay = createRelay({ db, logger, registry: new Registry() });
  relay.handle(runKey, createRunHandler({ temporal, taskQueue }));
  const runs = createRunService({
    db,
    webUrl: "https://forge.test",
    mail: noMails,
    signJobs: async () => false,
    metrics: createRunMetrics(new Registry(), db),
    logger,
    ...(limits ? { limits } : {}),
  });
  const git = createGit({ maxPushBytes: 1024, starter: shareStarter(), admission: wideAdmission() });
  const storage = createRepositoryStorage(join(tmpdir(), "forgeline-no-repositories"));
  const objects = createCatFilePool({ startGit: git.start, maxProcesses: 1, idleMs: 1_000 });
  const ground = { db, storage, logger, registry: new Registry() };
  const statistics = createStatisticsComputation({ ...ground, git, objects });
  const maintenance = createMaintenanceService({
    ...ground,
    runGit: git.run,
    pushes: { removeLocks: () => Promise.resolve(0) },
    beforePrune: () => Promise.resolve(),
    measure: () => Promise.resolve(),
    beginRound: () => Promise.resolve(),
  });
  const bundle = await workflowBundle(bundleCache);
  const worker = await createWorkflowWorker({
    address: bed.temporalAddress,
    taskQueue,
    bundle,
    services: { runs, maintenance, statistics, upkeepSchedules: { runTask: () => Promise.resolve() } },
  });
  const running = worker.run();
  relay.start();
  return {
    db,
    temporal,
    ownerUrl: database.ownerUrl,
    async close() {
      await relay.stop();
      worker.shutdown();
      await running;
      objects.close();
      git.close();
      await temporal.close();
      await db.close();
      await database.drop();
    },
  };
}
