/** Background work, put together for the container. */
import { createRunRescue } from "../../pipelines/runs/rescue-run.ts";
import type { InstanceKey } from "../../../platform/instance-key.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import { createWorkActions, type WorkActionsDeps } from "./actions.ts";
import { createWorkCursors } from "./cursors.ts";
import { createExecutions } from "./executions.ts";
import { createWorkMetrics } from "./metrics.ts";
import { createWorkQueues } from "./queues.ts";
import { createWorkService, type WorkServiceDeps } from "./service.ts";

type Deps = Omit<WorkActionsDeps, "work" | "rescue" | "metrics" | "taskQueue"> &
  Pick<WorkServiceDeps, "addresses"> & {
    registry: Metrics;
    instanceKey: InstanceKey;
    config: { temporal: { taskQueue: string } };
  };

export function createWork({ registry, instanceKey, config, addresses, ...deps }: Deps) {
  const { db, temporal } = deps;
  const { taskQueue } = config.temporal;
  const cursors = createWorkCursors(instanceKey.derive("work_cursor"));
  const executions = createExecutions({ temporal, taskQueue, cursors });
  const queues = createWorkQueues(temporal, taskQueue);
  const work = createWorkService({ db, executions, queues, addresses });
  const metrics = createWorkMetrics(registry, executions);
  const rescue = createRunRescue(db);
  return { work, workActions: createWorkActions({ ...deps, taskQueue, work, rescue, metrics }) };
}
