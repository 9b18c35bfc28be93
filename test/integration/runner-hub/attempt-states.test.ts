/** Every event in every state of an attempt, by the functions of runs and leases and in the real database. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JobStop } from "@forgeline/schemas/pipelines/run-activities.ts";
import { returnExpiredOffers } from "@forgeline/server/domains/pipelines/leases/claims.ts";
import { reclaim } from "@forgeline/server/domains/pipelines/leases/reclaim.ts";
import { createLeaseService, type LeaseService } from "@forgeline/server/domains/pipelines/leases/service.ts";
import { cancelOverdue } from "@forgeline/server/domains/pipelines/leases/step-limits.ts";
import { createLogService, type LogService } from "@forgeline/server/domains/pipelines/logs/service.ts";
import { matchLabels } from "@forgeline/server/domains/pipelines/runners/labels.ts";
import { runnerSettings } from "@forgeline/server/domains/pipelines/runners/settings.ts";
import { recordAttemptUnplaced } from "@forgeline/server/domains/pipelines/runs/attempt-facts.ts";
import { attemptStates, type AttemptEvent } from "@forgeline/server/domains/pipelines/runs/attempt-states.ts";
import { delegateAttempts } from "@forgeline/server/domains/pipelines/runs/attempts.store.ts";
import { recordAttemptFollowing } from "@forgeline/server/domains/pipelines/runs/attempt-facts.ts";
import { createRunMetrics } from "@forgeline/server/domains/pipelines/runs/metrics.ts";
import {
  createRunService,
  type RunService,
} from "@forgeline/server/domains/pipelines/runs/workflow-service.ts";
import { createDatabase } from "@forgeline/server/platform/db/database.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { createLogger } from "@forgeline/server/platform/logger.ts";
import { createFileStore } from "@forgeline/server/platform/objects/file-store.ts";
import { testJobSecrets } from "../../support/job-secrets.ts";
import { testDatabase, type TestDatabase } from "../../support/database.ts";
import {
  insertRepository,
  insertRun,
  planJob,
  planOf,
  resultOf,
  type TestRepository,
} from "../../support/runs.ts";
import { movesOf, walkStates } from "../../support/walk-states.ts";
import { noMails } from "../../support/no-mails.ts";
import { withTexts, type TextDatabase } from "../../support/text-database.ts";

interface Subject {
  attemptId: string;
  jobId: string;
  pipelineId: string;
  runnerId: string;
}

const logger = createLogger({ name: "test", level: "silent" });
let database: TestDatabase;
let directory: string;
let db: TextDatabase;
let repository: TestRepository;
let logs: LogService;
let leases: LeaseService;
let runs: RunService;

beforeAll(async () => {
  database = await testDatabase();
  directory = await mkdtemp(join(tmpdir(), "forgeline-attempts-"));
  db = withTexts(createDatabase({ url: database.url, poolSize: 4, applicationName: "test", logger }));
  repository = await insertRepository(db);
  const registry = new Registry();
  logs = createLogService({ db, objects: createFileStore(directory), logger, registry });
  leases = createLeaseService({
    db,
    logs: logs.ingest,
    addresses: { webUrl: "https://localhost", jobUrl: "https://localhost" },
    secrets: testJobSecrets,
    reportReader: { wake: () => undefined },
    jobTokenKeys: () => [Buffer.alloc(32, 7)],
    // No runner sends the logs of these attempts, so nothing waits for them.
    settings: { ...runnerSettings(), logsWaitMs: 0, keepOpenMs: 1 },
  });
  const metrics = createRunMetrics(registry, db);
  runs = createRunService({
    db,
    webUrl: "https://localhost",
    mail: noMails,
    signJobs: async () => false,
    metrics,
    logger,
  });
});
afterAll(async () => {
  await logs.close();
  await db.close();
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

/** Labels of its own, so that its runner is offered this attempt and no other. */
async function make(): Promise<Subject> {
  const label = newId("rnr").toLowerCase();
  const { id: pipelineId } = await insertRun(
    db,
    repository,
    planOf([planJob({ key: "build", runnerLabels: [label] })]),
  );
  const run = { pipelineId, sequence: 1 };
  const { jobs } = await runs.loadRun(run);
  const start = {
    attempt: 1,
    retry: false,
    outcome: "success",
    stageOutcome: "success",
    blocked: null,
  } as const;
  await runs.startJobs({ ...run, settled: [], jobs: jobs.map(({ id }) => ({ jobId: id, ...start })) });
  const attempt = await db.one<{ id: string; job_id: string }>(
    "select id, job_id from job_attempts where pipeline_id = $1",
    [pipelineId],
  );
  const runnerId = newId("rnr");
  await db.query(
    `insert into runners (id, name, credential_hash, match_labels, capacity, instance_id)
     values ($1, $1, convert_to($1, 'UTF8'), $2, 1, 'one')`,
    [runnerId, matchLabels([label])],
  );
  return { attemptId: attempt?.id ?? "", jobId: attempt?.job_id ?? "", pipelineId, runnerId };
}

async function leaseOf({ attemptId }: Subject): Promise<{ attemptId: string; epoch: number }> {
  const row = await db.one<{ epoch: number }>("select epoch from job_attempts where id = $1", [attemptId]);
  return { attemptId, epoch: row?.epoch ?? 0 };
}

function stopOf({ jobId }: Subject): JobStop {
  return { jobId, attempt: 1, status: "cancelled", reason: "user:ada", force: false, queuedOnly: false };
}

const events: Record<AttemptEvent, (subject: Subject) => Promise<unknown>> = {
  offer: ({ runnerId }) => leases.claim({ runnerId, instanceId: "one", deadlineMs: 10_000, scope: "" }),
  giveBack: async (subject) => leases.giveBack(await leaseOf(subject)),
  async expire({ attemptId }) {
    await db.query("update job_attempts set offer_expires_at = now() - interval '1 minute' where id = $1", [
      attemptId,
    ]);
    await returnExpiredOffers(db);
  },
  accept: async (subject) => leases.accept({ ...(await leaseOf(subject)), runnerId: subject.runnerId }),
  start: async (subject) => leases.started({ ...(await leaseOf(subject)), timeMs: Date.now() }),
  overrun: async (subject) =>
    cancelOverdue(db, { ...(await leaseOf(subject)), name: "true", limit: "timeout", limitMs: 1 }),
  finish: async (subject) => leases.done({ ...(await leaseOf(subject)), result: resultOf({}) }),
  lapse: ({ attemptId }) => reclaim(db, attemptId, 0),
  unplace: ({ attemptId }) => db.transaction((tx) => recordAttemptUnplaced(tx, attemptId)),
  delegate: ({ attemptId }) => db.transaction((tx) => delegateAttempts(tx, [attemptId])),
  follow: ({ attemptId }) => db.transaction((tx) => recordAttemptFollowing(tx, attemptId)),
  stop: (subject) =>
    runs.requestStop({ pipelineId: subject.pipelineId, sequence: 1, jobs: [stopOf(subject)] }),
  forceEnd: (subject) =>
    runs.forceEnd({ pipelineId: subject.pipelineId, sequence: 1, jobs: [stopOf(subject)] }),
  abandon: ({ pipelineId }) =>
    runs.finishRun({ pipelineId, sequence: 1, jobs: [], reason: "internal:req_1" }),
};

async function look({ attemptId }: Subject): Promise<{ state: string }> {
  const row = await db.one<{ state: string }>(
    `select state, status, reason, epoch, runner_id, cancel, log_complete, started_at, finished_at
     from job_attempts where id = $1`,
    [attemptId],
  );
  return row ?? { state: "gone" };
}

test("each event leads where the table says, and is refused where the table has none", async () => {
  expect(await walkStates({ table: attemptStates, make, events, look })).toEqual(movesOf(attemptStates));
});

test("the database holds the states of the table and no others", async () => {
  const row = await db.one<{ definition: string }>(
    "select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'job_attempts_state_check'",
  );
  expect([...(row?.definition ?? "").matchAll(/'(\w+)'/g)].map(([, state]) => state)).toEqual(
    attemptStates.states,
  );
});
