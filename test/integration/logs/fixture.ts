/** A run with one attempt in a database of its own, and log services as separate servers would have them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import { createDatabase } from "@forgeline/server/platform/db/database.ts";
import { migrate } from "@forgeline/server/platform/db/migrate.ts";
import { createLogService, type LogService } from "@forgeline/server/domains/pipelines/logs/service.ts";
import { createFileStore } from "@forgeline/server/platform/objects/file-store.ts";
import type { ObjectStore } from "@forgeline/server/platform/objects/object-store.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { createLogger } from "@forgeline/server/platform/logger.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { LeaseStream } from "@forgeline/schemas/runner-protocol/lease.ts";
import { testDatabase, type TestDatabase } from "../../support/database.ts";
import { withTexts, type TextDatabase } from "../../support/text-database.ts";

export const quiet = createLogger({ name: "test", level: "fatal" });

export interface TestRun {
  repositoryId: string;
  pipelineId: string;
  stageId: string;
  jobId: string;
  attemptId: string;
}

export interface LogFixture {
  database: TestDatabase;
  db: TextDatabase;
  objects: ObjectStore;
  /** Where the objects lie. */
  directory: string;
  /** A further server on the same database and object storage. */
  server(): { logs: LogService; db: TextDatabase };
  close(): Promise<void>;
}

export async function logFixture(): Promise<LogFixture> {
  const database = await testDatabase();
  await migrate(database.ownerUrl);
  const directory = await mkdtemp(join(tmpdir(), "forgeline-logs-"));
  const objects = createFileStore(directory);
  const open: { close(): Promise<void> }[] = [];
  const connect = () => {
    const db = withTexts(
      createDatabase({ url: database.url, poolSize: 6, applicationName: "test", logger: quiet }),
    );
    open.push(db);
    return db;
  };
  return {
    database,
    db: connect(),
    objects,
    directory,
    server() {
      const db = connect();
      const logs = createLogService({ db, objects, logger: quiet, registry: new Registry() });
      open.unshift(logs);
      return { logs, db };
    },
    async close() {
      for (const part of open) await part.close();
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Rows of a run with one stage, one job `build` and one leased attempt. */
export async function insertRun(db: TextDatabase, visibility = "private"): Promise<TestRun> {
  const userId = newId("usr");
  const run: TestRun = {
    repositoryId: newId("repo"),
    pipelineId: newId("pipe"),
    stageId: newId("stg"),
    jobId: newId("job"),
    attemptId: newId("att"),
  };
  const name = run.repositoryId.slice(-10);
  await db.query("insert into owners (id, name, kind) values ($1, $2, 'user')", [userId, `u${name}`]);
  await db.query("insert into users (id, username) values ($1, $2)", [userId, `u${name}`]);
  await db.query("insert into repositories (id, owner_id, name, visibility) values ($1, $2, $3, $4)", [
    run.repositoryId,
    userId,
    name,
    visibility,
  ]);
  await db.query(
    `insert into pipelines (id, repository_id, number, file, source, ref, sha, event, triggered_by, status)
     values ($1, $2, 1, '.forgeline.yml', 'push', 'refs/heads/main', 'abc', '{}', $3, 'running')`,
    [run.pipelineId, run.repositoryId, userId],
  );
  await db.query(
    "insert into stages (id, pipeline_id, position, name, status) values ($1, $2, 0, 'main', 'running')",
    [run.stageId, run.pipelineId],
  );
  await db.query(
    `insert into jobs (id, pipeline_id, stage_id, repository_id, position, key, name, status, attempts)
     values ($1, $2, $3, $4, 0, 'build', 'Build', 'running', 1)`,
    [run.jobId, run.pipelineId, run.stageId, run.repositoryId],
  );
  await db.query(
    `insert into job_attempts (id, job_id, pipeline_id, repository_id, attempt, state, status, labels, job)
     values ($1, $2, $3, $4, 1, 'leased', 'running', '{}', '{}')`,
    [run.attemptId, run.jobId, run.pipelineId, run.repositoryId],
  );
  await db.query(
    "insert into steps (id, attempt_id, pipeline_id, position, name, status) values ($1, $2, $3, 0, 'compile', 'running')",
    [newId("step"), run.attemptId, run.pipelineId],
  );
  return run;
}

/** Streams of a job with `steps` steps: set-up first. */
export async function openStreams(
  server: { logs: LogService; db: TextDatabase },
  run: TestRun,
  steps = 1,
): Promise<LeaseStream[]> {
  const job = {
    steps: Array.from({ length: steps }, (_, position) => ({ position })),
    services: [],
  } as unknown as PlanJob;
  return server.db.transaction((tx) =>
    server.logs.ingest.openStreams(tx, { attemptId: run.attemptId, pipelineId: run.pipelineId, job }),
  );
}
