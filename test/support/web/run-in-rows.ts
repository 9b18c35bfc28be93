/** A run as its page shows it, written into the database of a server without worker and runner: what tests say is what happens. */
import type { Plan } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import type { ApiServer, TestPerson } from "../api-server.ts";
import { endOf, frameOf } from "../log-frames.ts";
import { insertRun } from "../runs.ts";

/** The key of a job; of a matrix also the place of one combination, from 0, where not all are meant. */
export type RowJob = string | { key: string; combination: number };

export interface RowRun {
  id: string;
  /** `/OWNER/REPO/pipelines/NUMBER` */
  path: string;
  setJob(job: RowJob, status: Status, why?: { reason: string; message: string }): Promise<void>;
  setRun(status: Status): Promise<void>;
  /** A further attempt of a job with its steps and their empty logs. With a number, they run at the same time. */
  begin(job: RowJob, steps: readonly string[], parallel?: number): Promise<RowAttempt>;
}

export interface RowAttempt {
  /** Set-up is 0, the first step 1. Appends to what is there. */
  print(stream: number, text: string): Promise<void>;
  /** Ends all its streams and steps. */
  end(status: Status, lastStep?: { status: Status; exitCode: number }): Promise<void>;
}

/** In a new repository `name` of `person`. */
export async function runInRows(
  server: ApiServer,
  person: TestPerson,
  { name, plan }: { name: string; plan: Plan },
): Promise<RowRun> {
  const { db } = server.container.platform;
  const made = await server.api("POST", "/repos", { token: person.token, body: { name } });
  if (made.status !== 201) throw new Error(made.text);
  const repository = { id: made.json.id as string, userId: person.id, owner: person.username, name };
  const run = await insertRun(db, repository, plan);
  const told = () => db.transaction((tx) => tx.notify("run", run.id));
  return {
    id: run.id,
    path: `/${person.username}/${name}/pipelines/${run.number}`,
    async setJob(job, status, why) {
      const { key, combination } = placeOf(job);
      await db.query(
        `update jobs set status = $3, reason = $4, message = $5, started_at = coalesce(started_at, now() - interval '5 seconds'),
           finished_at = case when $3 in ('success', 'failed') then now() end where pipeline_id = $1 and key = $2
            and combination = coalesce($6, combination)`,
        [run.id, key, status, why?.reason ?? null, why?.message ?? null, combination],
      );
      await db.query(
        "update stages set status = $3 where pipeline_id = $1 and id in (select stage_id from jobs where pipeline_id = $1 and key = $2)",
        [run.id, key, status],
      );
      await told();
    },
    async setRun(status) {
      await db.query(
        `update pipelines set status = $2, started_at = coalesce(started_at, now() - interval '6 seconds'),
           finished_at = case when $2 in ('success', 'failed') then now() end where id = $1`,
        [run.id, status],
      );
      await told();
    },
    begin: (job, steps, parallel) =>
      beginAttempt(server, {
        pipelineId: run.id,
        repositoryId: repository.id,
        ...placeOf(job),
        steps,
        parallel,
      }),
  };
}

/** No combination where none is named. */
function placeOf(job: RowJob): { key: string; combination: number | null } {
  return typeof job === "string" ? { key: job, combination: null } : job;
}

interface NewAttempt {
  pipelineId: string;
  repositoryId: string;
  key: string;
  combination: number | null;
  steps: readonly string[];
  parallel: number | undefined;
}

async function beginAttempt(server: ApiServer, wanted: NewAttempt): Promise<RowAttempt> {
  const { db } = server.container.platform;
  const { logs } = server.container.pipelines;
  const { pipelineId, repositoryId, key, combination, steps, parallel = null } = wanted;
  const id = newId("att");
  await db.query(
    "update jobs set attempts = attempts + 1, status = 'running', started_at = now() where pipeline_id = $1 and key = $2 and combination = coalesce($3, combination)",
    [pipelineId, key, combination],
  );
  await db.query(
    `insert into job_attempts (id, job_id, pipeline_id, repository_id, attempt, state, status, labels, job, queued_at, started_at)
     select $1, j.id, $2, $3, j.attempts, 'leased', 'running', '{}', '{}', now() - interval '3 seconds', now() - interval '1 second'
       from jobs j where j.pipeline_id = $2 and j.key = $4 and j.combination = coalesce($5, j.combination)`,
    [id, pipelineId, repositoryId, key, combination],
  );
  for (const [position, name] of steps.entries())
    await db.query(
      `insert into steps (id, attempt_id, pipeline_id, position, name, parallel_group, status, started_at)
       values ($1, $2, $3, $4, $5, $6, 'running', now())`,
      [newId("step"), id, pipelineId, position, name, parallel],
    );
  const job = { steps: steps.map((_, position) => ({ position })), services: [] };
  const streams = await db.transaction(async (tx) => {
    const opened = await logs.ingest.openStreams(tx, { attemptId: id, pipelineId, job: job as never });
    await tx.notify("run", pipelineId);
    return opened.map((stream) => ({ id: stream.id, text: Buffer.alloc(0) }));
  });
  return {
    async print(at, text) {
      const stream = streams[at];
      if (!stream) throw new Error(`no stream ${at}`);
      const before = stream.text.length;
      stream.text = Buffer.concat([stream.text, Buffer.from(text)]);
      for (let from = before; from < stream.text.length; from += 60_000) {
        const to = Math.min(stream.text.length, from + 60_000);
        await logs.ingest.append(stream.id, shiftedFrame(stream.text, from, to));
      }
    },
    async end(status, lastStep = { status, exitCode: 0 }) {
      for (const stream of streams) await logs.ingest.eof(stream.id, endOf(stream.text));
      await db.query(
        "update steps set status = 'success', exit_code = 0, finished_at = now() where attempt_id = $1",
        [id],
      );
      await db.query("update steps set status = $2, exit_code = $3 where attempt_id = $1 and position = $4", [
        id,
        lastStep.status,
        lastStep.exitCode,
        steps.length - 1,
      ]);
      await db.query(
        "update job_attempts set state = 'ended', status = $2, exit_code = $3, finished_at = now() where id = $1",
        [id, status, lastStep.exitCode],
      );
      await db.transaction((tx) => tx.notify("run", pipelineId));
    },
  };
}

/** Lines begin in the present, a millisecond after each other. */
function shiftedFrame(text: Buffer, from: number, to: number) {
  const frame = frameOf(text, from, to, to - from > 512);
  const now = Date.now();
  return { ...frame, timeRuns: frame.timeRuns.map((run, at) => ({ ...run, timeMs: now + at })) };
}
