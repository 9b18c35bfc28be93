/** The Temporal worker for all workflows, made from services and connected to one Temporal. */
import { NativeConnection, Worker } from "@temporalio/worker";
import { pipelineTaskQueue } from "@forgeline/schemas/pipelines/workflow.ts";
import { createActivities, type WorkflowServices } from "../activities/activities.ts";

export interface WorkflowWorkerOptions {
  address: string;
  namespace?: string;
  taskQueue?: string;
  bundle: { code: string };
  services: WorkflowServices;
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
  const worker = await Worker.create({
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
  return {
    worker,
    async run() {
      try {
        await worker.run();
      } finally {
        await connection.close();
      }
    },
    shutdown() {
      if (worker.getState() === "RUNNING") worker.shutdown();
    },
  };
}
