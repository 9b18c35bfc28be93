/** The workers that poll this instance's task queue, and the tasks that wait there. */
import type { WorkOverview } from "@forgeline/schemas/background-work/resource.ts";
import type { Temporal } from "../../../platform/temporal.ts";
import { asked } from "./executions.ts";
import { millisecondsOf, timeOf } from "./proto-times.ts";

export interface WorkQueues {
  /** Throws `unavailable` while Temporal does not answer. */
  read(): Promise<Pick<WorkOverview, "task_queue" | "workers" | "decisions" | "steps">>;
}

/** Temporal's numbers for the two halves of a queue. */
const halves = { decisions: 1, steps: 2 } as const;

export function createWorkQueues(temporal: Temporal, taskQueue: string): WorkQueues {
  async function half(taskQueueType: number) {
    const { pollers, stats } = await asked(temporal, (client) =>
      client.workflowService.describeTaskQueue({
        namespace: client.options.namespace,
        taskQueue: { name: taskQueue },
        taskQueueType,
        reportStats: true,
      }),
    );
    const age = stats?.approximateBacklogAge;
    return {
      seen: (pollers ?? []).map(({ identity, lastAccessTime }) => ({
        name: identity ?? "",
        at: timeOf(lastAccessTime)?.getTime() ?? 0,
      })),
      backlog: {
        tasks: stats?.approximateBacklogCount?.toNumber() ?? 0,
        oldest_seconds: age ? millisecondsOf(age) / 1000 : 0,
      },
    };
  }

  return {
    async read() {
      const [decisions, steps] = await Promise.all([half(halves.decisions), half(halves.steps)]);
      const lastSeen = new Map<string, number>();
      for (const { name, at } of [...decisions.seen, ...steps.seen])
        lastSeen.set(name, Math.max(at, lastSeen.get(name) ?? 0));
      const workers = [...lastSeen].map(([name, at]) => ({ name, last_seen_at: new Date(at).toISOString() }));
      return {
        task_queue: taskQueue,
        workers: workers.sort((a, b) => a.name.localeCompare(b.name)),
        decisions: decisions.backlog,
        steps: steps.backlog,
      };
    },
  };
}
