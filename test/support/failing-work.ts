/** Workers, and work that cannot go on: a repository whose statistics cannot be computed, and runs that wait for a runner. */
import { rename } from "node:fs/promises";
import { expect } from "vitest";
import "./quiet-temporal.ts";
import { pipelineWorkflowId } from "@forgeline/schemas/pipelines/workflow.ts";
import { statisticsWorkflowId, statisticsWorkflowName } from "@forgeline/schemas/statistics/workflow.ts";
import { bundleCache } from "./bundle-cache.ts";
import { eventually } from "./eventually.ts";
import { workflowBundle } from "@forgeline/workflows/worker/bundle.ts";
import { createWorkflowWorker } from "@forgeline/workflows/worker/create-worker.ts";
import type { ApiServer, TestPerson } from "./api-server.ts";
import { handRunner, insertRun, planJob, planOf } from "./runs.ts";

/** A worker for all that the server hands to Temporal; gives what stops it. */
export async function startWorker({ container, config }: ApiServer): Promise<() => Promise<void>> {
  const { address, taskQueue } = config.temporal;
  const { runs } = container.pipelines;
  const { maintenance, upkeepSchedules } = container.upkeep;
  const { statistics } = container.hosting;
  const bundle = await workflowBundle(bundleCache);
  const worker = await createWorkflowWorker({
    address,
    taskQueue,
    bundle,
    services: { runs, maintenance, statistics, upkeepSchedules },
    following: { ...container.automation, ...container.operation },
    mirroring: { ...container.automation, maxSyncs: 4 },
  });
  const running = worker.run();
  return async () => {
    worker.shutdown();
    await running;
  };
}

let made = 0;
async function makeRepository(server: ApiServer, owner: TestPerson) {
  const name = `w${made++}`;
  const answer = await server.api("POST", "/repos", { token: owner.token, body: { name, readme: true } });
  expect(answer.status).toBe(201);
  return { id: answer.json.id as string, userId: owner.id, owner: owner.username, name };
}

/** Its statistics are under way, and fail until it is put right. */
export async function startFailingStatistics(server: ApiServer, owner: TestPerson, taskQueue: string) {
  const repository = await makeRepository(server, owner);
  const directory = server.container.platform.storage.directory(repository.id);
  await rename(directory, `${directory}.away`);
  const workflowId = statisticsWorkflowId(repository.id);
  await server.container.platform.temporal.client.workflow.start(statisticsWorkflowName, {
    taskQueue,
    workflowId,
    args: [{ repositoryId: repository.id }],
  });
  return { ...repository, workflowId, repair: () => rename(`${directory}.away`, directory) };
}

/** Of two jobs, `one` and then `two`. */
export async function beginRun(server: ApiServer, owner: TestPerson) {
  const { db } = server.container.platform;
  const repository = await makeRepository(server, owner);
  const plan = planOf([planJob({ key: "one" }), planJob({ key: "two", stage: "b" })]);
  const { id } = await insertRun(db, repository, plan);
  const workflowId = pipelineWorkflowId(id, 1);
  return { ...repository, runId: id, workflowId, runner: handRunner(db, id) };
}

export const terminateWorkflow = ({ container }: ApiServer, workflowId: string) =>
  container.platform.temporal.client.workflow
    .getHandle(workflowId)
    .terminate("by hand, with password=hunter22");

/** The number of each try of a step that has ended. */
export async function triesOf({ container }: ApiServer, workflowId: string): Promise<number[]> {
  const { events } = await container.platform.temporal.client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).flatMap((event) => event.activityTaskStartedEventAttributes?.attempt ?? []);
}

/** Waits until Temporal has heard, or refused to hear, all that there is to say about the run. */
export const untilDelivered = ({ container }: ApiServer, runId: string) =>
  eventually(async () => {
    const left = await container.platform.db.one<{ items: number }>(
      "select count(*)::int as items from outbox where key = $1",
      [`pipeline:${runId}`],
    );
    return left?.items === 0;
  });

/** Waits until the runner of its job is to be told to stop. */
export const untilStopRequested = ({ container }: ApiServer, runId: string) =>
  eventually(async () => {
    const attempt = await container.platform.db.one<{ cancel: object | null }>(
      "select cancel from job_attempts where pipeline_id = $1",
      [runId],
    );
    return attempt !== undefined && attempt.cancel !== null;
  });
