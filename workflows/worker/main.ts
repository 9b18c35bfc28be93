/**
 * The worker's program: decides runs until SIGTERM or SIGINT. While Temporal is away it tries to connect again; a
 * worker that Temporal has given up on is replaced by a new one. One line on standard output says when it is ready.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Runtime } from "@temporalio/worker";
import { loadConfig } from "@forgeline/server/config/config.ts";
import { createContainer } from "@forgeline/server/container.ts";
import { serveMetrics } from "@forgeline/server/platform/metrics.ts";
import { endProcess } from "@forgeline/server/platform/process-end.ts";
import { workflowBundle } from "./bundle.ts";
import { createWorkflowWorker, type WorkflowWorker } from "./create-worker.ts";
import { observeWorker } from "./metrics.ts";
import { temporalLogger } from "./temporal-logger.ts";

const reconnectMs = 500;
/**
 * Longer than activities have to end. Temporal's library waits for its polls, of which the server may overlook one when
 * it is told of the end; such a poll lasts a minute. Decisions that reach it are given to another worker.
 */
const endMs = 20_000;

const config = loadConfig();
const container = await createContainer(config, { role: "worker" });
const { logger } = container.platform;
// Signals are handled here, so that the container closes after the worker.
Runtime.install({ logger: temporalLogger(logger), shutdownSignals: [] });

const stopping = new AbortController();
const ended = Promise.withResolvers<void>();
let current: WorkflowWorker | undefined;
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => {
    if (stopping.signal.aborted) process.exit(1);
    stopping.abort();
    current?.shutdown();
    void endProcess(() => ended.promise, { logger, what: "the worker", withinMs: endMs });
  });
}
observeWorker(container.platform.metrics, () => current?.worker.getStatus());
const isReady = () => current?.worker.getState() === "RUNNING";
const metrics =
  config.metrics.port === undefined
    ? undefined
    : await serveMetrics(
        container.platform.metrics,
        { host: config.metrics.listen, port: config.metrics.port },
        (path) => Promise.resolve(path === "/readyz" ? { status: isReady() ? 200 : 503 } : undefined),
      );
const bundle = await workflowBundle(config.cacheDir);

let announced = false;
while (!stopping.signal.aborted) {
  try {
    const { address, namespace, taskQueue } = config.temporal;
    current = await createWorkflowWorker({
      address,
      namespace,
      taskQueue,
      bundle,
      services: {
        runs: container.pipelines.runs,
        ...container.upkeep,
        statistics: container.hosting.statistics,
      },
      following: { ...container.automation, ...container.operation },
      mirroring: { ...container.automation, maxSyncs: config.mirrorSyncs },
    });
    if (!announced) {
      process.stdout.write(`${JSON.stringify({ ready: true, metrics_port: metrics?.port ?? null })}\n`);
    }
    announced = true;
    await container.upkeep.maintenanceSchedule.keep();
    await container.upkeep.upkeepSchedules.keep();
    await container.automation.followerWorkflows.keep();
    const running = current.run();
    if (stopping.signal.aborted) current.shutdown();
    await running;
  } catch (error) {
    logger.warn(
      { error: (error as Error).message },
      "the workflow worker lost its connection to Temporal; reconnecting",
    );
    await sleep(reconnectMs, undefined, { signal: stopping.signal }).catch(() => undefined);
  }
  current = undefined;
}
await metrics?.close();
await container.close();
ended.resolve();
