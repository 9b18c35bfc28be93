/** A server with a worker for its workflows, so that runs are decided; what runners do is done by hand. */
import "./quiet-temporal.ts";
import { createWorkflowWorker } from "@forgeline/workflows/worker/create-worker.ts";
import { workflowBundle } from "@forgeline/workflows/worker/bundle.ts";
import type { ChildRun } from "@forgeline/schemas/pipelines/relatives.ts";
import type { Pipeline } from "@forgeline/schemas/pipelines/resource.ts";
import { expect } from "vitest";
import type { TestPerson } from "./api-server.ts";
import { bundleCache } from "./bundle-cache.ts";
import { eventually } from "./eventually.ts";
import { handRunner } from "./runs.ts";
import { startScheduleBed, type ScheduleBed } from "./schedule-bed.ts";

export interface ChildBed extends ScheduleBed {
  /** Starts `.forgeline.yml`, or the file that `body` names. */
  start(at: string, body?: object, person?: TestPerson): Promise<Pipeline>;
  read(at: string, id: string, person?: TestPerson): Promise<Pipeline>;
  /** Once it has this status. */
  ends(at: string, id: string, status: string): Promise<Pipeline>;
  /** Those of the run, once there are so many. */
  children(at: string, id: string, count: number): Promise<ChildRun[]>;
  runner(id: string): ReturnType<typeof handRunner>;
  stopWorker(): Promise<void>;
  startWorker(): Promise<void>;
}

let made = 0;

export async function startChildBed(): Promise<ChildBed> {
  const taskQueue = `children-${process.pid}-${made++}-${Date.now()}`;
  const bed = await startScheduleBed({ FORGELINE_TASK_QUEUE: taskQueue });
  const { config, container } = bed.server;
  const bundle = await workflowBundle(bundleCache);
  const newWorker = async () => {
    const { pipelines, hosting, upkeep } = container;
    const worker = await createWorkflowWorker({
      address: config.temporal.address,
      taskQueue,
      bundle,
      services: { ...hosting, ...upkeep, runs: pipelines.runs },
    });
    return { worker, running: worker.run() };
  };
  let current: Awaited<ReturnType<typeof newWorker>> | undefined = await newWorker();
  const stopWorker = async () => {
    const last = current;
    current = undefined;
    last?.worker.shutdown();
    await last?.running;
  };
  const read: ChildBed["read"] = async (at, id, person) => {
    const answer = await bed.send("GET", `${at}/pipelines/${id}`, undefined, person);
    expect(answer.status, answer.text).toBe(200);
    return answer.json;
  };
  return {
    ...bed,
    read,
    stopWorker,
    async startWorker() {
      current = await newWorker();
    },
    async start(at, body = {}, person) {
      const answer = await bed.send("POST", `${at}/pipelines`, body, person);
      expect(answer.status, answer.text).toBe(201);
      return answer.json;
    },
    ends: (at, id, status) =>
      eventually(
        async () => {
          const run = await read(at, id);
          if (run.status === status) return run;
          throw new Error(`the run is ${run.status} ${run.reason}: ${run.message}`);
        },
        { timeoutMs: 100_000 },
      ),
    children: (at, id, count) =>
      eventually(
        async () => {
          const { children } = await read(at, id);
          return children.length === count && children;
        },
        { timeoutMs: 100_000 },
      ),
    runner: (id) => handRunner(bed.database, id),
    async close() {
      await stopWorker();
      await bed.close();
    },
  };
}
