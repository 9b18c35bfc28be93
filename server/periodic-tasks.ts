/**
 * Every periodic task of a server, in one list. Not here is what also acts at once when something happens, and only looks from
 * time to time for what it may have missed: pushes left open, mails, log segments, leases, reports of jobs, the outbox.
 */
import type { Automation } from "./domains/automation/domain.ts";
import type { Collaboration } from "./domains/collaboration/domain.ts";
import type { Hosting } from "./domains/hosting/domain.ts";
import type { Operation } from "./domains/operation/domain.ts";
import type { Pipelines } from "./domains/pipelines/domain.ts";
import type { PeriodicTask } from "./platform/periodic-tasks.ts";
import type { Platform } from "./platform/platform.ts";

export interface PeriodicTaskOwners {
  platform: Platform;
  operation: Operation;
  hosting: Hosting;
  pipelines: Pipelines;
  collaboration: Collaboration;
  automation: Automation;
}

export function listPeriodicTasks({
  platform,
  operation,
  hosting,
  pipelines,
  collaboration,
  automation,
}: PeriodicTaskOwners): PeriodicTask[] {
  return [
    ...platform.idempotency.periodicTasks,
    ...operation.auditMaintenance.periodicTasks,
    ...operation.rateLimits.periodicTasks,
    ...hosting.statisticsStarter.periodicTasks,
    ...hosting.storageMeter.periodicTasks,
    ...pipelines.slotRecovery.periodicTasks,
    ...pipelines.mergeRequestRuns.periodicTasks,
    ...pipelines.shells.periodicTasks,
    ...collaboration.mergeRequestComparison.periodicTasks,
    ...collaboration.mergeQueueAdvance.periodicTasks,
    ...collaboration.autoMergeTries.periodicTasks,
    ...automation.dueAuditStreams.periodicTasks,
  ];
}
