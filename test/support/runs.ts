/** Runs without Git and runners: a repository and plans by hand, and a runner that only says what is asked of it. */
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { Plan, PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { JobResult } from "@forgeline/schemas/runner-protocol/lease.ts";
import {
  recordAttemptDone,
  recordAttemptReclaimed,
  recordAttemptStarted,
} from "@forgeline/server/domains/pipelines/runs/attempt-facts.ts";
import { createRun, type CreatedRun } from "@forgeline/server/domains/pipelines/runs/create-run.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { eventually } from "./eventually.ts";
import { buildStep } from "./lease-spec.ts";
import type { TextDatabase } from "./text-database.ts";

export interface TestRepository {
  id: string;
  userId: string;
  owner: string;
  name: string;
}

export async function insertRepository(db: TextDatabase): Promise<TestRepository> {
  const userId = newId("usr");
  const id = newId("repo");
  const owner = `ada-${userId.slice(-6)}`;
  await db.query("insert into owners (id, name, kind) values ($1, $2, 'user')", [userId, owner]);
  await db.query("insert into users (id, username) values ($1, $2)", [userId, owner]);
  await db.query("insert into repositories (id, owner_id, name) values ($1, $2, 'demo')", [id, userId]);
  return { id, userId, owner, name: "demo" };
}

export function planJob(job: Partial<PlanJob> & { key: string }): PlanJob {
  return {
    name: job.key,
    stage: "main",
    image: { name: "busybox", user: null },
    runnerLabels: [],
    needs: null,
    matrix: null,
    when: [],
    env: {},
    outputs: {},
    services: [],
    steps: [buildStep(0, "true", { name: "true" })],
    retry: { max: 2, on: ["infra", "image_pull"], delayMs: 0, factor: 2, maxDelayMs: 300_000 },
    rerunIfLost: true,
    allowFailure: false,
    timeoutMs: 3_600_000,
    idleTimeoutMs: null,
    queueTimeoutMs: 86_400_000,
    concurrency: null,
    clone: null,
    resources: { cpu: null, memoryBytes: null, shmBytes: null },
    ...job,
  };
}

/** Stages are those that the jobs name, in that order, unless `stages` says more of them. */
export function planOf(jobs: PlanJob[], more: Partial<Plan> = {}): Plan {
  const names = [...new Set(jobs.map((job) => job.stage))];
  return {
    version: 1,
    name: "test",
    file: ".forgeline.yml",
    inputs: [],
    timeoutMs: 21_600_000,
    concurrency: null,
    env: {},
    stages: names.map((name) => ({
      name,
      title: null,
      needs: null,
      when: [],
      timeoutMs: null,
      concurrency: null,
    })),
    jobs,
    ...more,
  };
}

export async function insertRun(
  db: TextDatabase,
  repository: TestRepository,
  plan: Plan,
  more: Partial<PipelineEvent> = {},
): Promise<CreatedRun> {
  const { id, owner, name, userId } = repository;
  const created = await db.transaction((tx) =>
    createRun(tx, {
      repositoryId: id,
      origin: null,
      file: plan.file,
      name: plan.name,
      source: "api",
      event: {
        name: "api",
        ref: "refs/heads/main",
        branch: "main",
        tag: null,
        sha: "a".repeat(40),
        beforeSha: null,
        actor: owner,
        commitMessage: "test",
        commitAuthor: "Ada <ada@example.org>",
        changedPaths: null,
        repository: { owner, name, defaultBranch: "main" },
        inputs: {},
        variables: {},
        ...more,
      },
      configText: null,
      diagnostics: [],
      triggeredBy: userId,
      content: { kind: "plan", plan },
    }),
  );
  if (!created) throw new Error("the run was not made");
  return created;
}

export interface HeldAttempt {
  attemptId: string;
  epoch: number;
  attempt: number;
}

/** Takes attempts as a hub would and reports facts through the same functions. */
export function handRunner(db: TextDatabase, pipelineId: string) {
  return {
    /** Waits until the job, or a combination of its matrix, has a queued attempt and takes it. */
    take: (key: string): Promise<HeldAttempt> =>
      eventually(
        () =>
          db.one<HeldAttempt>(
            `update job_attempts set state = 'leased', epoch = epoch + 1, lease_renewed_at = now()
           where id = (
             select a.id from job_attempts a join jobs j on j.id = a.job_id
             where j.pipeline_id = $1 and j.key = $2 and a.state = 'queued' order by j.combination limit 1)
           returning id as "attemptId", epoch, attempt`,
            [pipelineId, key],
          ),
        { intervalMs: 3 },
      ),
    start: (held: HeldAttempt) =>
      db.transaction((tx) => recordAttemptStarted(tx, { ...held, timeMs: Date.now() })),
    done: (held: HeldAttempt, result: Partial<JobResult> = {}) =>
      db.transaction((tx) => recordAttemptDone(tx, { ...held, result: resultOf(result), logComplete: true })),
    reclaim: (held: HeldAttempt) => db.transaction((tx) => recordAttemptReclaimed(tx, held)),
    async run(key: string, result: Partial<JobResult> = {}): Promise<HeldAttempt> {
      const held = await this.take(key);
      await this.start(held);
      await this.done(held, result);
      return held;
    },
  };
}

export function resultOf(result: Partial<JobResult>): JobResult {
  return {
    status: "success",
    reason: null,
    message: null,
    exitCode: 0,
    outputs: {},
    steps: [],
    warnings: [],
    ...result,
  };
}

export const failedResult: Partial<JobResult> = {
  status: "failed",
  reason: "exit:1",
  message: "step 1 ended with exit code 1",
  exitCode: 1,
};

/** Status and reason of the run and its jobs, once the run has the status. */
export async function runIs(db: TextDatabase, pipelineId: string, status: string) {
  return eventually(async () => {
    const run = await db.one<{ status: string; reason: string | null; warnings: number }>(
      "select status, reason, warnings from pipelines where id = $1",
      [pipelineId],
    );
    if (run?.status !== status) throw new Error(`the run is ${run?.status ?? "absent"}, not ${status}`);
    return run;
  });
}

export async function jobsOf(db: TextDatabase, pipelineId: string): Promise<Record<string, string>> {
  const rows = await db.query<{ key: string; status: string; reason: string | null }>(
    "select key, status, reason from jobs where pipeline_id = $1 order by position",
    [pipelineId],
  );
  return Object.fromEntries(
    rows.map((row) => [row.key, row.reason ? `${row.status} ${row.reason}` : row.status]),
  );
}

/** What followers of events were told of the run since it was created. */
export async function announced(db: TextDatabase, pipelineId: string): Promise<string[]> {
  const rows = await db.query<{ action: string }>(
    `select action from events where kind = 'pipeline' and subject -> 'pipeline' ->> 'id' = $1 and action <> 'created'
     order by position`,
    [pipelineId],
  );
  return rows.map(({ action }) => action);
}
