/** Every event in every state of a run and of its job, by the functions of runs and in the real database. */
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JobSettled } from "@forgeline/schemas/pipelines/run-activities.ts";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import {
  recordAttemptStarted,
  recordChildWait,
} from "@forgeline/server/domains/pipelines/runs/attempt-facts.ts";
import { cancelRun, endHeld, rerunRun } from "@forgeline/server/domains/pipelines/runs/change-run.ts";
import { jobStates, type JobEvent } from "@forgeline/server/domains/pipelines/runs/job-states.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { lockRun } from "@forgeline/server/domains/pipelines/runs/run-record.ts";
import { createRunMetrics } from "@forgeline/server/domains/pipelines/runs/metrics.ts";
import { createRunRecovery } from "@forgeline/server/domains/pipelines/runs/recover-run.ts";
import { runStateOf, runStates } from "@forgeline/server/domains/pipelines/runs/run-states.ts";
import {
  createRunService,
  type RunService,
} from "@forgeline/server/domains/pipelines/runs/workflow-service.ts";
import { systemActor } from "@forgeline/server/platform/access/actor.ts";
import { createDatabase } from "@forgeline/server/platform/db/database.ts";
import { createLogger } from "@forgeline/server/platform/logger.ts";
import { testDatabase, type TestDatabase } from "../../support/database.ts";
import { insertRepository, insertRun, planJob, planOf, type TestRepository } from "../../support/runs.ts";
import { movesOf, walkStates } from "../../support/walk-states.ts";
import { noMails } from "../../support/no-mails.ts";
import { withTexts, type TextDatabase } from "../../support/text-database.ts";

interface JobRow {
  id: string;
  status: Status;
  reason: string | null;
  attempts: number;
  sequence: number;
  run: Status;
}

const logger = createLogger({ name: "test", level: "silent" });
let database: TestDatabase;
let db: TextDatabase;
let repository: TestRepository;
let runs: RunService;

beforeAll(async () => {
  database = await testDatabase();
  db = withTexts(createDatabase({ url: database.url, poolSize: 4, applicationName: "test", logger }));
  repository = await insertRepository(db);
  const metrics = createRunMetrics(new Registry(), db);
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
  await db.close();
  await database.drop();
});

const approval = {
  approvers: [],
  count: 1,
  allowSelf: true,
  expiresMs: 3_600_000,
  onExpire: "reject" as const,
  message: null,
};

/** The id of a run with one job, which waits for approval where it is asked for: of its stage, then its own. */
async function make(): Promise<string> {
  const plan = planOf([planJob({ key: "build", approval })]);
  const stages = plan.stages.map((stage) => ({ ...stage, approval }));
  return (await insertRun(db, repository, { ...plan, stages })).id;
}

async function jobOf(pipelineId: string): Promise<JobRow> {
  const row = await db.one<JobRow>(
    `select j.id, j.status, j.reason, j.attempts, p.sequence, p.status as run
     from jobs j join pipelines p on p.id = j.pipeline_id where p.id = $1`,
    [pipelineId],
  );
  if (!row) throw new Error("the run is gone");
  return row;
}

async function settle(pipelineId: string, status: Status, reason: string | null = null): Promise<void> {
  const { id: jobId, attempts: attempt, sequence } = await jobOf(pipelineId);
  const jobs: JobSettled[] = [{ jobId, attempt, status, reason, allowed: false }];
  await runs.settleJobs({ pipelineId, sequence, jobs });
}

async function queue(pipelineId: string): Promise<void> {
  const { id: jobId, attempts, sequence } = await jobOf(pipelineId);
  const met = { outcome: "success", stageOutcome: "success", blocked: null } as const;
  const jobs = [{ jobId, attempt: attempts + 1, retry: true, ...met }];
  await runs.startJobs({ pipelineId, sequence, settled: [], jobs });
}

/** Its newest attempt, which a runner has from now on. */
async function taken(pipelineId: string): Promise<{ attemptId: string; epoch: number } | undefined> {
  await db.query("update job_attempts set state = 'leased' where pipeline_id = $1 and state = 'queued'", [
    pipelineId,
  ]);
  return db.one(
    `select id as "attemptId", epoch from job_attempts where pipeline_id = $1 order by attempt desc limit 1`,
    [pipelineId],
  );
}

let stops = 0;

async function stop(pipelineId: string): Promise<void> {
  await taken(pipelineId);
  const { id: jobId, attempts: attempt, sequence } = await jobOf(pipelineId);
  // Another reason each time, so that asking a second time is seen.
  const asked = {
    status: "cancelled",
    reason: `user:${(stops += 1)}`,
    force: false,
    queuedOnly: false,
  } as const;
  await runs.requestStop({ pipelineId, sequence, jobs: [{ jobId, attempt, ...asked }] });
}

const rerun = (pipelineId: string) =>
  rerunRun(db, systemActor, { pipelineId, name: "ada/demo#1", from: "all" });

async function ask(pipelineId: string): Promise<void> {
  const { id: jobId, attempts, sequence } = await jobOf(pipelineId);
  const met = { outcome: "success", stageOutcome: "success", blocked: null } as const;
  const jobs = [{ jobId, attempt: attempts + 1, retry: false, ask: true, ...met }];
  await runs.startJobs({ pipelineId, sequence, settled: [], jobs });
}

/** As if people had decided. */
async function decide(pipelineId: string, state: string, jobs: (string | null)[]): Promise<void> {
  for (const job of jobs)
    await db.query(
      `insert into approval_gates (id, pipeline_id, sequence, stage, job, rule, excluded, state, expires_at)
       select $1, id, sequence, 'main', $3, $4, '{}', $5, now() + interval '1 hour' from pipelines where id = $2
       on conflict (pipeline_id, sequence, stage, job, environment) do update set state = excluded.state`,
      [newId("gate"), pipelineId, job, JSON.stringify(approval), state],
    );
  await ask(pipelineId);
}

/** As a run of a fork that nobody has approved. */
async function endUnapproved(pipelineId: string, event: "cancel" | "reject"): Promise<void> {
  const reason = event === "cancel" ? "user:ada" : "approval_rejected";
  await db.transaction(async (tx) => {
    const run = await lockRun(tx, pipelineId);
    if (run) await endHeld(tx, run, { event, reason });
  });
}

const jobEvents: Record<JobEvent, (pipelineId: string) => Promise<unknown>> = {
  load: async (pipelineId) => runs.loadRun({ pipelineId, sequence: (await jobOf(pipelineId)).sequence }),
  await: async (pipelineId) => {
    const { status } = await jobOf(pipelineId);
    await decide(pipelineId, "approved", status === "awaiting_approval" ? [null] : []);
  },
  pass: (pipelineId) => decide(pipelineId, "approved", [null, "build"]),
  reject: async (pipelineId) => {
    const { status } = await jobOf(pipelineId);
    await (status === "created"
      ? endUnapproved(pipelineId, "reject")
      : decide(pipelineId, "rejected", [null]));
  },
  hold: (pipelineId) => settle(pipelineId, "waiting", "max_parallel"),
  queue,
  async start(pipelineId) {
    const attempt = await taken(pipelineId);
    if (attempt) await db.transaction((tx) => recordAttemptStarted(tx, { ...attempt, timeMs: Date.now() }));
  },
  async follow(pipelineId) {
    const attempt = await taken(pipelineId);
    if (!attempt) return;
    const { attemptId } = attempt;
    const state = (to: string) =>
      db.query("update job_attempts set state = $2 where id = $1 and state <> 'ended'", [attemptId, to]);
    await state("following");
    await db.transaction((tx) => recordChildWait(tx, attemptId, `Waits for ${(stops += 1)}.`));
    await state("leased");
  },
  stop,
  retry: (pipelineId) => settle(pipelineId, "waiting", "retry"),
  succeed: (pipelineId) => settle(pipelineId, "success"),
  fail: (pipelineId) => settle(pipelineId, "failed", "exit:1"),
  break: (pipelineId) => settle(pipelineId, "error", "infra"),
  cancel: async (pipelineId) => {
    const { status } = await jobOf(pipelineId);
    await (status === "created"
      ? endUnapproved(pipelineId, "cancel")
      : settle(pipelineId, "cancelled", "user:ada"));
  },
  skip: (pipelineId) => settle(pipelineId, "skipped", "stage_skipped"),
  abandon: async (pipelineId) => {
    const { sequence } = await jobOf(pipelineId);
    await runs.finishRun({ pipelineId, sequence, jobs: [], reason: "internal:req_1" });
  },
  rerun,
};

test("each event of a job leads where the table says, and is refused where the table has none", async () => {
  const look = async (pipelineId: string) => {
    const { status: state, reason, sequence, attempts } = await jobOf(pipelineId);
    return { state, reason, sequence, attempts };
  };
  expect(await walkStates({ table: jobStates, make, events: jobEvents, look })).toEqual(movesOf(jobStates));
});

test("each event of a run leads where the table says, and is refused where the table has none", async () => {
  const named = (pipelineId: string) => ({ pipelineId, name: "ada/demo#1" });
  const lost = async (pipelineId: string) => ({ ...named(pipelineId), ...(await jobOf(pipelineId)) });
  const rescue = createRunRecovery(db);
  const noWorkflow = { requestId: "req_1", workflow: () => Promise.resolve() };
  const walked = await walkStates({
    table: runStates,
    async make() {
      const pipelineId = await make();
      await jobEvents.load(pipelineId);
      await queue(pipelineId);
      return pipelineId;
    },
    events: {
      async finish(pipelineId) {
        const { id: jobId, attempts: attempt, sequence } = await jobOf(pipelineId);
        const jobs: JobSettled[] = [{ jobId, attempt, status: "success", reason: null, allowed: false }];
        await runs.finishRun({ pipelineId, sequence, jobs, reason: null });
      },
      cancel: (pipelineId) => cancelRun(db, systemActor, { ...named(pipelineId), force: false }),
      resume: async (pipelineId) => rescue.resume(systemActor, await lost(pipelineId)),
      end: async (pipelineId) => rescue.end(systemActor, await lost(pipelineId), noWorkflow),
      rerun,
    },
    async look(pipelineId) {
      const { run, sequence } = await jobOf(pipelineId);
      const said = await db.one("select count(*)::int from outbox where key = $1", [
        `pipeline:${pipelineId}`,
      ]);
      return { state: runStateOf(run), run, sequence, said };
    },
  });
  expect(walked).toEqual(movesOf(runStates));
});

test("a matrix is expanded once, however often the workflow asks", async () => {
  const source = { values: [{ name: "v", list: "${{ fromJson('[1, 2, 3]') }}" }], include: [], exclude: [] };
  const matrix = { combinations: null, source, maxParallel: null, failFast: false };
  const { id: pipelineId } = await insertRun(db, repository, planOf([planJob({ key: "each", matrix })]));
  const [job] = (await runs.loadRun({ pipelineId, sequence: 1 })).jobs;
  expect(job?.combination).toMatchObject({ isOpen: true, values: null });
  const met = { outcome: "success", stageOutcome: "success", blocked: null } as const;
  const jobs = [{ jobId: job?.id ?? "", attempt: 1, retry: false, expand: true, ...met }];
  const expand = () => runs.startJobs({ pipelineId, sequence: 1, settled: [], jobs });
  const first = await expand();
  expect(first[0]?.combinations?.map(({ values }) => values)).toEqual([{ v: "1" }, { v: "2" }, { v: "3" }]);
  const history =
    "select node_id, old_status, new_status from transitions where pipeline_id = $1 order by id";
  const before = await db.query(history, [pipelineId]);
  expect(await expand()).toEqual(first);
  expect(await db.query(history, [pipelineId])).toEqual(before);
  // As another worker finds it, which has lost the answer.
  const again = (await runs.loadRun({ pipelineId, sequence: 1 })).jobs;
  expect(again.map((one) => [one.id, one.combination?.isOpen])).toEqual(
    first[0]?.combinations?.map(({ jobId }) => [jobId, false]),
  );
});
