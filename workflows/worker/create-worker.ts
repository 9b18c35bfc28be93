/** The Temporal worker for all workflows, made from services and connected to one Temporal. */
import { NativeConnection, Worker } from "@temporalio/worker";
import { streamTaskQueue } from "@forgeline/schemas/audit-streams/workflow.ts";
import { followerTaskQueue } from "@forgeline/schemas/events/workflow.ts";
import { mirrorTaskQueue } from "@forgeline/schemas/mirrors/workflow.ts";
import { pipelineTaskQueue } from "@forgeline/schemas/pipelines/workflow.ts";
import {
  createActivities,
  createFollowingActivities,
  createMirroringActivities,
  createStreamingActivities,
  type FollowingServices,
  type MirroringServices,
  type WorkflowServices,
} from "../activities/activities.ts";

export interface WorkflowWorkerOptions {
  address: string;
  namespace?: string;
  taskQueue?: string;
  bundle: { code: string };
  services: WorkflowServices;
  /** Without them nobody follows events, and nothing that a webhook did not accept is tried again. */
  following?: FollowingServices;
  /** Without them no mirror is synced. */
  mirroring?: MirroringServices;
}

export interface WorkflowWorker {
  worker: Worker;
  /** Resolves after `shutdown`; rejects when Temporal stays away for longer than the worker waits. */
  run(): Promise<void>;
  /** Lets what is under way end. */
  shutdown(): void;
}

/** Throws when Temporal cannot be reached. */
export async function createWorkflowWorker(options: WorkflowWorkerOptions): Promise<WorkflowWorker> {
  const connection = await NativeConnection.connect({ address: options.address });
  const { following, mirroring } = options;
  const worker = await createMainWorker(connection, options);
  const workers = [
    worker,
    ...(following
      ? [
          await createFollowingWorker(connection, options, following),
          await createStreamingWorker(connection, options, following),
        ]
      : []),
    ...(mirroring ? [await createMirroringWorker(connection, options, mirroring)] : []),
  ];
  const shutdown = () => {
    following?.followerRunner.stop();
    following?.auditStreams.stopSending();
    for (const each of workers) if (each.getState() === "RUNNING") each.shutdown();
  };
  return {
    worker,
    async run() {
      const runs = workers.map((each) => each.run());
      try {
        await Promise.all(runs);
      } catch (error) {
        shutdown();
        await Promise.allSettled(runs);
        throw error;
      } finally {
        await connection.close();
      }
    },
    shutdown,
  };
}

function createMainWorker(connection: NativeConnection, options: WorkflowWorkerOptions): Promise<Worker> {
  return Worker.create({
    connection,
    namespace: options.namespace ?? "default",
    taskQueue: options.taskQueue ?? pipelineTaskQueue,
    workflowBundle: options.bundle,
    activities: createActivities(options.services),
    // Those of runs are local: they run inside workflow tasks. The others are maintenance, of which a round does two at a time,
    // and statistics; both give way.
    maxConcurrentActivityTaskExecutions: 4,
    maxConcurrentLocalActivityExecutions: 50,
    maxConcurrentWorkflowTaskExecutions: 50,
    maxCachedWorkflows: 2_000,
    // How long a decision waits for the worker that knew the run, when that one has died.
    stickyQueueScheduleToStartTimeout: "2 s",
    shutdownGraceTime: "10 s",
  });
}

function createFollowingWorker(
  connection: NativeConnection,
  { namespace = "default", taskQueue = pipelineTaskQueue }: WorkflowWorkerOptions,
  services: FollowingServices,
): Promise<Worker> {
  return Worker.create({
    connection,
    namespace,
    taskQueue: followerTaskQueue(taskQueue),
    activities: createFollowingActivities(services),
    // Followers run without end, and each endpoint that fails takes a place while it is tried.
    maxConcurrentActivityTaskExecutions: 100,
    shutdownGraceTime: "10 s",
  });
}

function createStreamingWorker(
  connection: NativeConnection,
  { namespace = "default", taskQueue = pipelineTaskQueue }: WorkflowWorkerOptions,
  services: FollowingServices,
): Promise<Worker> {
  return Worker.create({
    connection,
    namespace,
    taskQueue: streamTaskQueue(taskQueue),
    activities: createStreamingActivities(services),
    // Logs for which entries wait; each holds about a megabyte.
    maxConcurrentActivityTaskExecutions: 100,
    shutdownGraceTime: "10 s",
  });
}

function createMirroringWorker(
  connection: NativeConnection,
  { namespace = "default", taskQueue = pipelineTaskQueue }: WorkflowWorkerOptions,
  services: MirroringServices,
): Promise<Worker> {
  return Worker.create({
    connection,
    namespace,
    taskQueue: mirrorTaskQueue(taskQueue),
    activities: createMirroringActivities(services),
    maxConcurrentActivityTaskExecutions: services.maxSyncs,
    shutdownGraceTime: "10 s",
  });
}
