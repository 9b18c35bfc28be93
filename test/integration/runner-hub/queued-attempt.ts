/** Rows of a run whose one job waits in the queue. */
import { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { buildStep } from "../../support/lease-spec.ts";
import type { TextDatabase } from "../../support/text-database.ts";

export interface QueuedJob {
  attemptId: string;
  jobId: string;
  pipelineId: string;
  repositoryId: string;
}

export interface NewAttempt {
  repositoryId: string;
  userId: string;
  number: number;
  labels: string[];
  job: Partial<PlanJob>;
}

/** A run with one stage and one job whose first attempt waits in the queue. */
export async function insertAttempt(db: TextDatabase, given: NewAttempt): Promise<QueuedJob> {
  const made = {
    attemptId: newId("att"),
    jobId: newId("job"),
    pipelineId: newId("pipe"),
    stageId: newId("stg"),
  };
  const { repositoryId } = given;
  const event = {
    name: "push",
    ref: "refs/heads/main",
    branch: "main",
    tag: null,
    sha: "a".repeat(40),
    beforeSha: null,
    actor: "ada",
    commitMessage: "message",
    commitAuthor: "Ada <ada@example.org>",
    changedPaths: null,
    repository: { owner: "ada", name: "r", defaultBranch: "main" },
    inputs: {},
    variables: {},
  };
  const job = planJob(given.job);
  await db.transaction(async (tx) => {
    await tx.query(
      `insert into pipelines (id, repository_id, number, file, name, source, ref, sha, event, plan, triggered_by, status)
       values ($1, $2, $3, '.forgeline.yml', 'main', 'push', 'refs/heads/main', $4, $5, $6, $7, 'queued')`,
      [
        made.pipelineId,
        repositoryId,
        given.number,
        event.sha,
        JSON.stringify(event),
        JSON.stringify({ env: { TOP: "plain", MADE: "on ${{ branch }}" } }),
        given.userId,
      ],
    );
    await tx.query(
      "insert into stages (id, pipeline_id, position, name, status) values ($1, $2, 0, 'main', 'queued')",
      [made.stageId, made.pipelineId],
    );
    await tx.query(
      `insert into jobs (id, pipeline_id, stage_id, repository_id, position, key, name, status, attempts)
       values ($1, $2, $3, $4, 0, $5, $5, 'queued', 1)`,
      [made.jobId, made.pipelineId, made.stageId, repositoryId, job.key],
    );
    await tx.query(
      `insert into job_attempts (id, job_id, pipeline_id, repository_id, attempt, labels, job)
       values ($1, $2, $3, $4, 1, $5, $6)`,
      [made.attemptId, made.jobId, made.pipelineId, repositoryId, given.labels, JSON.stringify(job)],
    );
    for (const step of job.steps)
      await tx.query(
        `insert into steps (id, attempt_id, pipeline_id, position, name, timeout_ms, idle_timeout_ms)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [
          newId("step"),
          made.attemptId,
          made.pipelineId,
          step.position,
          step.name,
          step.timeoutMs,
          step.idleTimeoutMs,
        ],
      );
    await tx.notify("queue", repositoryId);
  });
  const { attemptId, jobId, pipelineId } = made;
  return { attemptId, jobId, pipelineId, repositoryId };
}

export function planStep(changes: Partial<PlanJob["steps"][number]> = {}): PlanJob["steps"][number] {
  return buildStep(0, "true", { name: "step one", ...changes });
}

function planJob(changes: Partial<PlanJob>): PlanJob {
  return PlanJob.parse({
    key: "build",
    name: "build",
    stage: "main",
    image: { name: "busybox", user: null },
    runnerLabels: ["docker"],
    needs: null,
    when: [],
    env: {},
    outputs: {},
    services: [],
    steps: [planStep()],
    retry: { max: 2, on: ["infra"], delayMs: 5000, factor: 2, maxDelayMs: 300_000 },
    rerunIfLost: true,
    allowFailure: false,
    timeoutMs: 3_600_000,
    idleTimeoutMs: null,
    queueTimeoutMs: 86_400_000,
    clone: null,
    resources: { cpu: null, memoryBytes: null, shmBytes: null },
    ...changes,
  });
}
