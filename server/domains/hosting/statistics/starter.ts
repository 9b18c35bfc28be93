/**
 * Starts Temporal workflows for marked repositories: every server looks each second and starts one workflow per repository. The
 * mark stays until the work is done, so nothing is lost in a crash or while Temporal is down.
 */
import { WorkflowExecutionAlreadyStartedError } from "@temporalio/client";
import { statisticsWorkflowId, statisticsWorkflowName } from "@forgeline/schemas/statistics/workflow.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { PeriodicTask } from "../../../platform/periodic-tasks.ts";
import type { UpkeepTask } from "../../../platform/upkeep-task.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import { createGauge } from "../../../platform/declared-metrics.ts";
import type { Temporal } from "../../../platform/temporal.ts";
import { adopt, claimDue, countWaiting } from "./marks.store.ts";
import { statisticsRules } from "./rules.ts";

export interface StatisticsStarter {
  /** Starts what is due; returns how many were started or under way. Throws when Temporal or the database does not answer. */
  startDue(): Promise<number>;
  periodicTasks: readonly PeriodicTask[];
  upkeepTasks: readonly UpkeepTask[];
}

export interface StarterDeps {
  db: Database;
  temporal: Temporal;
  taskQueue: string;
  registry: Metrics;
}

const pollMs = 1_000;
const adoptEveryMs = 6 * 3600 * 1000;
const batch = 20;

export function createStatisticsStarter(deps: StarterDeps): StatisticsStarter {
  const { db, temporal, taskQueue } = deps;
  observe(deps);

  async function begin(repositoryId: string): Promise<void> {
    const workflowId = statisticsWorkflowId(repositoryId);
    const options = { taskQueue, workflowId, args: [{ repositoryId }] };
    await temporal
      .call((client) => client.workflow.start(statisticsWorkflowName, options))
      .catch((error: unknown) => {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      });
  }

  async function startDue(): Promise<number> {
    let started = 0;
    for (;;) {
      const due = await claimDue(db, batch);
      await Promise.all(due.map(begin));
      started += due.length;
      if (due.length < batch) return started;
    }
  }

  return {
    startDue,
    periodicTasks: [{ name: "start_statistics", everyMs: pollMs, atStart: false, run: () => startDue() }],
    upkeepTasks: [
      { name: "find_outdated_statistics", everyMs: adoptEveryMs, run: () => adopt(db, statisticsRules) },
    ],
  };
}

function observe({ db, registry }: StarterDeps): void {
  createGauge(registry, "forgeline_statistics_waiting", async (gauge) => {
    await countWaiting(db).then(
      (count) => gauge.set(count),
      () => gauge.reset(),
    );
  });
}
