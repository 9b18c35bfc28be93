/**
 * Upkeep of what the other domains own: maintenance of repositories, repair after a restore, and background work as a whole.
 */
import type { UpkeepTaskName } from "@forgeline/schemas/upkeep-schedules/workflow.ts";
import { createTemporalSchedules } from "../../platform/temporal-schedules.ts";
import type { UpkeepTask } from "../../platform/upkeep-task.ts";
import type { Config } from "../../config/config.ts";
import { joinLifecycles } from "../../platform/lifecycle.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Automation } from "../automation/domain.ts";
import type { Hosting } from "../hosting/domain.ts";
import type { Operation } from "../operation/domain.ts";
import type { Pipelines } from "../pipelines/domain.ts";
import { createMaintenanceSchedule } from "./maintenance/schedule.ts";
import { createMaintenanceService } from "./maintenance/service.ts";
import { createRepair } from "./repair/service.ts";
import { createRecorder } from "./background-work/audit-entries.ts";
import { createUpkeepSchedules } from "./upkeep-schedules/service.ts";
import { createWorkActions } from "./background-work/actions.ts";
import { createWorkCursors } from "./background-work/cursors.ts";
import { createExecutions } from "./background-work/executions.ts";
import { createWorkMetrics } from "./background-work/metrics.ts";
import { createWorkQueues } from "./background-work/queues.ts";
import { createWorkService } from "./background-work/service.ts";

export interface UpkeepDeps {
  config: Config;
  platform: Platform;
  operation: Operation;
  hosting: Hosting;
  pipelines: Pipelines;
  automation: Automation;
  upkeepTasks: Readonly<Record<UpkeepTaskName, UpkeepTask>>;
}

export type Upkeep = ReturnType<typeof createUpkeep>;

export function createUpkeep(deps: UpkeepDeps) {
  const { config, platform, operation, hosting, pipelines } = deps;
  const { db, temporal, git, metrics: registry } = platform;
  const maintenanceSchedule = createMaintenanceSchedule(temporal, {
    taskQueue: config.temporal.taskQueue,
    everyMinutes: config.maintenanceMinutes,
  });
  const maintenance = createMaintenanceService({
    ...platform,
    registry,
    runGit: git.run,
    pushes: hosting.pushes,
    beforePrune: pipelines.dropRemovedResults,
    beginRound: maintenanceSchedule.beginRound,
    measure: hosting.storageMeter.mark,
  });
  return {
    maintenance,
    maintenanceSchedule,
    ...createBackgroundWork(deps, { maintenance, maintenanceSchedule }),
    repair: createRepair({
      db,
      maintenance,
      directories: hosting.repositoryDirectories,
      pushes: hosting.pushes,
      refRecords: hosting.refRecords,
      lfsObjects: hosting.lfsObjects,
      logObjects: pipelines.logObjects,
      checkpoints: operation.checkpoints,
      pauseForcingMirrors: deps.automation.pauseForcingMirrors,
    }),
    lifecycle: joinLifecycles([]),
  };
}

/** Background work of the instance, as administrators see and control it. */
function createBackgroundWork(deps: UpkeepDeps, rounds: Rounds) {
  const { config, platform, operation, hosting, pipelines, automation } = deps;
  const { db, temporal, metrics, instanceKeys, addresses } = platform;
  const { taskQueue } = config.temporal;
  const cursors = createWorkCursors(instanceKeys.signer("work_cursor"));
  const executions = createExecutions({ temporal, taskQueue, cursors });
  const schedules = createTemporalSchedules(temporal);
  const queues = createWorkQueues(temporal, taskQueue);
  const work = createWorkService({ db, executions, queues, addresses });
  const workActions = createWorkActions({
    ...rounds,
    db,
    temporal,
    taskQueue,
    work,
    rescue: pipelines.runRescue,
    statistics: hosting.statistics,
    followerWorkflows: automation.followerWorkflows,
    webhookRetries: automation.webhookRetries,
    mirrorSyncs: automation.mirrorSyncs,
    mirrorSchedules: automation.mirrorSchedules,
    imports: automation.imports,
    auditExports: automation.auditExports,
    auditStreams: automation.auditStreams,
    pushMirrorSyncs: automation.pushMirrorSyncs,
    pushMirrorSchedules: automation.pushMirrorSchedules,
    forkSyncs: automation.forkSyncs,
    forkSyncService: automation.forkSyncService,
    keyRotation: operation.keyRotation,
    schedules,
    metrics: createWorkMetrics(metrics, executions),
  });
  const upkeepSchedules = createUpkeepSchedules({
    ...platform,
    schedules,
    taskQueue,
    tasks: deps.upkeepTasks,
    executions,
    recorded: createRecorder(db),
  });
  return { work, workActions, upkeepSchedules };
}

interface Rounds {
  maintenance: ReturnType<typeof createMaintenanceService>;
  maintenanceSchedule: ReturnType<typeof createMaintenanceSchedule>;
}

// What other domains and the edges may use.
export { presentMaintenance } from "./maintenance/present.ts";
export { renderFindings } from "./repair/finding.ts";
export type { MaintenanceService } from "./maintenance/service.ts";
export type { WorkActions } from "./background-work/actions.ts";
export type { UpkeepSchedules } from "./upkeep-schedules/service.ts";
export type { WorkService } from "./background-work/service.ts";
