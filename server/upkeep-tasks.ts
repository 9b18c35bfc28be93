/** Every task of upkeep, in one list; `docs/operations/administration.md` describes them. */
import { upkeepTaskNames, type UpkeepTaskName } from "@forgeline/schemas/upkeep-schedules/workflow.ts";
import type { Automation } from "./domains/automation/domain.ts";
import type { Collaboration } from "./domains/collaboration/domain.ts";
import type { Hosting } from "./domains/hosting/domain.ts";
import type { Operation } from "./domains/operation/domain.ts";
import type { Pipelines } from "./domains/pipelines/domain.ts";
import type { UpkeepTask } from "./platform/upkeep-task.ts";

/** By name. Throws where one of them is missing, or is not known as a schedule. */
export function listUpkeepTasks(owners: {
  operation: Operation;
  hosting: Hosting;
  pipelines: Pipelines;
  collaboration: Collaboration;
  automation: Automation;
}): Record<UpkeepTaskName, UpkeepTask> {
  const { operation, hosting, pipelines, collaboration, automation } = owners;
  const tasks = [
    ...operation.unusedKeys.upkeepTasks,
    ...operation.auditExpiry.upkeepTasks,
    ...hosting.statisticsStarter.upkeepTasks,
    ...hosting.repositoryDeletion.upkeepTasks,
    ...hosting.repositoryDirectories.upkeepTasks,
    ...hosting.lfs.cleanup.upkeepTasks,
    ...automation.eventRetention.upkeepTasks,
    ...collaboration.notificationUpkeep.upkeepTasks,
    ...automation.mirrorUpkeep.upkeepTasks,
    ...automation.pushMirrorUpkeep.upkeepTasks,
    ...automation.forkUpkeep.upkeepTasks,
    ...automation.scheduleUpkeep.upkeepTasks,
    ...automation.importUpkeep.upkeepTasks,
    ...automation.auditExportUpkeep.upkeepTasks,
    ...collaboration.attachmentUpkeep.upkeepTasks,
    ...pipelines.artifactCleanup.upkeepTasks,
    ...pipelines.idTokenKeys.upkeepTasks,
    ...pipelines.cacheCleanup.upkeepTasks,
    ...pipelines.reportUpkeep.upkeepTasks,
    ...pipelines.retentionUpkeep.upkeepTasks,
    ...pipelines.forkExpiry.upkeepTasks,
  ];
  const named = new Map(tasks.map((task) => [task.name, task]));
  const missing = upkeepTaskNames.filter((name) => !named.has(name));
  if (missing.length > 0 || named.size !== upkeepTaskNames.length)
    throw new Error(`tasks and schedules of upkeep differ: ${missing.join(", ")}`);
  return Object.fromEntries(named) as Record<UpkeepTaskName, UpkeepTask>;
}
