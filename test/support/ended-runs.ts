/** Runs that have ended, written as rows, with the event by which others learn of it. */
import { recordRunEvents } from "@forgeline/server/domains/pipelines/runs/run-events.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { plainEvent } from "./plain-event.ts";
import type { ApiServer } from "./api-server.ts";

export interface EndedJob {
  key: string;
  status?: string;
  /** In seconds, for each attempt: in the queue, and on a runner. */
  attempts: { queued: number; ran: number; steps?: Record<string, number> }[];
}

export interface WantedRun {
  repositoryId: string;
  number: number;
  status?: string;
  file?: string;
  branch?: string;
  /** When it began. */
  startedAt: Date;
  seconds: number;
  jobs?: readonly EndedJob[];
  /** The job of another run, in its first sequence. */
  startedBy?: { pipelineId: string; jobId: string; attemptId: string };
  /** Nobody learns of it yet. */
  isUntold?: true;
}

const after = (start: Date, seconds: number) => new Date(start.getTime() + seconds * 1000);

/** Gives its id. */
export async function endRun({ container }: ApiServer, run: WantedRun): Promise<string> {
  const { db } = container.platform;
  const { status = "success", file = ".forgeline.yml", branch = "main", startedAt, jobs = [] } = run;
  const id = newId("pipe");
  const [stageId, event] = [newId("stg"), plainEvent("a".repeat(40))];
  const finishedAt = after(startedAt, run.seconds);
  await db.query(
    `insert into pipelines (id, repository_id, number, file, source, ref, sha, event, status, created_at, started_at, finished_at, parent_id,
       parent_sequence, parent_job_id, parent_attempt_id)
     values ($1, $2, $3, $4, 'push', $5, $6, $7, $8, $9, $9, $10, $11, case when $11::text is not null then 1 end, $12, $13)`,
    [
      id,
      run.repositoryId,
      run.number,
      file,
      `refs/heads/${branch}`,
      event.sha,
      event,
      status,
      startedAt,
      finishedAt,
      run.startedBy?.pipelineId,
      run.startedBy?.jobId,
      run.startedBy?.attemptId,
    ],
  );
  await db.query(
    `insert into stages (id, pipeline_id, position, name, status, started_at, finished_at)
     values ($1, $2, 0, 'main', $3, $4, $5)`,
    [stageId, id, status, startedAt, finishedAt],
  );
  for (const [position, job] of jobs.entries()) await endJob(db, { ...run, id, stageId, position, job });
  if (!run.isUntold) await db.transaction((tx) => recordRunEvents(tx, id, ["finished"]));
  return id;
}

type Db = ApiServer["container"]["platform"]["db"];

async function endJob(
  db: Db,
  at: Pick<WantedRun, "repositoryId" | "startedAt"> & {
    id: string;
    stageId: string;
    position: number;
    job: EndedJob;
  },
): Promise<void> {
  const jobId = newId("job");
  const { key, status = "success", attempts } = at.job;
  await db.query(
    `insert into jobs (id, pipeline_id, stage_id, repository_id, position, key, name, status, attempts)
     values ($1, $2, $3, $4, $5, $6, $6, $7, $8)`,
    [jobId, at.id, at.stageId, at.repositoryId, at.position, key, status, attempts.length],
  );
  for (const [index, { queued, ran, steps = {} }] of attempts.entries()) {
    const attemptId = newId("att");
    const started = after(at.startedAt, queued);
    const ended = index === attempts.length - 1 ? status : "failed";
    await db.query(
      `insert into job_attempts (id, job_id, pipeline_id, repository_id, attempt, state, status, labels, job, queued_at, started_at, finished_at)
       values ($1, $2, $3, $4, $5, 'ended', $6, '{}', '{}', $7, $8, $9)`,
      [
        attemptId,
        jobId,
        at.id,
        at.repositoryId,
        index + 1,
        ended,
        at.startedAt,
        started,
        after(started, ran),
      ],
    );
    for (const [position, [name, took]] of Object.entries(steps).entries())
      await db.query(
        `insert into steps (id, attempt_id, pipeline_id, position, name, status, started_at, finished_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [newId("step"), attemptId, at.id, position, name, ended, started, after(started, took)],
      );
  }
}
