/**
 * How each kind of work is retried, and how a cancelled one is kept from starting again. A new kind does not compile until it
 * has both here.
 */
import { ScheduleNotFoundError, WorkflowExecutionAlreadyStartedError } from "@temporalio/client";
import type { WorkKind } from "@forgeline/schemas/background-work/resource.ts";
import { auditExportOf } from "@forgeline/schemas/audit-exports/workflow.ts";
import { auditStreamOf } from "@forgeline/schemas/audit-streams/workflow.ts";
import { importOf } from "@forgeline/schemas/imports/workflow.ts";
import { rotationOfWorkflow } from "@forgeline/schemas/keys/workflow.ts";
import {
  pushMirrorKey,
  pushMirrorOf,
  type PushMirrorPlace,
} from "@forgeline/schemas/push-mirrors/workflow.ts";
import { forkOf } from "@forgeline/schemas/fork-syncs/workflow.ts";
import { mirroredRepositoryOf } from "@forgeline/schemas/mirrors/workflow.ts";
import { statisticsWorkflowId, statisticsWorkflowName } from "@forgeline/schemas/statistics/workflow.ts";
import { scheduleIdOf, taskOfWorkflow } from "@forgeline/schemas/upkeep-schedules/workflow.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { TemporalSchedules } from "../../../platform/temporal-schedules.ts";
import type { Temporal } from "../../../platform/temporal.ts";
import type {
  AuditExports,
  AuditStreams,
  FollowerWorkflows,
  Imports,
  MirrorSchedules,
  MirrorSyncs,
  PushMirrorSyncs,
  ForkSyncs,
  ForkSyncService,
  WebhookRetries,
} from "../../automation/domain.ts";
import type { StatisticsComputation } from "../../hosting/domain.ts";
import type { KeyRotation } from "../../operation/domain.ts";
import type { RecoveredRun, RunRecovery } from "../../pipelines/domain.ts";
import type { MaintenanceSchedule } from "../maintenance/schedule.ts";
import type { MaintenanceService } from "../maintenance/service.ts";
import { entryOf, type Recorder } from "./audit-entries.ts";
import { asked, type Described } from "./executions.ts";
import { subjectOfWorkflow } from "./kinds.ts";
import type { FoundWork } from "./service.ts";

export interface KindActions {
  /** Continues work that has ended or starts it again, and records who did so. Throws `conflict` where it cannot. */
  retry(actor: Actor, looked: FoundWork): Promise<void>;
  /** After a cancellation: keeps the same work from starting again at once. Safe to call twice. */
  stopRetrying(found: Described, problem: string): Promise<void>;
}

export interface KindActionsDeps {
  temporal: Temporal;
  taskQueue: string;
  recorded: Recorder;
  rescue: RunRecovery;
  maintenance: Pick<MaintenanceService, "giveUp">;
  maintenanceSchedule: Pick<MaintenanceSchedule, "beginRound">;
  statistics: Pick<StatisticsComputation, "giveUp">;
  followerWorkflows: FollowerWorkflows;
  webhookRetries: Pick<WebhookRetries, "giveUp" | "wake">;
  mirrorSyncs: Pick<MirrorSyncs, "giveUp">;
  mirrorSchedules: Pick<MirrorSchedules, "syncNow">;
  pushMirrorSyncs: Pick<PushMirrorSyncs, "giveUp">;
  pushMirrorSchedules: Pick<MirrorSchedules, "syncNow">;
  forkSyncs: Pick<ForkSyncs, "giveUp">;
  forkSyncService: Pick<ForkSyncService, "again">;
  keyRotation: Pick<KeyRotation, "giveUp" | "resume">;
  imports: Pick<Imports, "giveUp">;
  auditExports: Pick<AuditExports, "giveUp">;
  auditStreams: Pick<AuditStreams, "stop" | "resume">;
  schedules: Pick<TemporalSchedules, "trigger">;
}

const nothing = async (): Promise<void> => {};

export function createKindActions(deps: KindActionsDeps): Record<WorkKind, KindActions> {
  const { rescue, maintenance, statistics } = deps;
  return {
    pipeline_run: {
      retry: (actor, looked) => rescue.resume(actor, runOf(looked)),
      stopRetrying: nothing,
    },
    repository_upkeep: {
      retry: (actor, looked) => nextRound(deps, actor, looked),
      async stopRetrying({ steps }, problem) {
        for (const { repositoryId } of steps)
          if (repositoryId !== null) await maintenance.giveUp(repositoryId, problem);
      },
    },
    repository_statistics: {
      retry: (actor, looked) => countAgain(deps, actor, looked),
      async stopRetrying(found, problem) {
        const about = subjectOfWorkflow(found.kind, found.id);
        if (about?.type === "repository") await statistics.giveUp(about.repositoryId, problem);
      },
    },
    event_follower: {
      retry: (actor, looked) => anew(deps, { actor, looked, begin: () => deps.followerWorkflows.keep() }),
      stopRetrying: nothing,
    },
    webhook_retries: {
      async retry(actor, looked) {
        const about = subjectOfWorkflow(looked.work.kind, looked.work.id);
        if (about?.type !== "webhook")
          throw new AppError("conflict", { message: "Its id names no webhook." });
        await anew(deps, { actor, looked, begin: () => deps.webhookRetries.wake(about.webhookId) });
      },
      async stopRetrying(found) {
        const about = subjectOfWorkflow(found.kind, found.id);
        if (about?.type === "webhook") await deps.webhookRetries.giveUp(about.webhookId);
      },
    },
    key_rotation: {
      retry: (actor, looked) =>
        anew(deps, { actor, looked, begin: () => deps.keyRotation.resume(rotationOf(looked.work)) }),
      stopRetrying: (found) => deps.keyRotation.giveUp(rotationOf(found)),
    },
    upkeep_task: {
      async retry(actor, looked) {
        const task = taskOfWorkflow(looked.work.id);
        if (task === undefined) throw new AppError("conflict", { message: "Its id names no task." });
        const begin = () => deps.schedules.trigger(scheduleIdOf(task, deps.taskQueue));
        await anew(deps, { actor, looked, begin });
      },
      stopRetrying: nothing,
    },
    ...mirrorActions(deps),
    repository_import: importActions(deps),
    ...auditActions(deps),
    other: {
      async retry() {
        throw new AppError("conflict", {
          message: "This version does not know how to begin this work again.",
        });
      },
      stopRetrying: nothing,
    },
  };
}

function mirrorActions(
  deps: KindActionsDeps,
): Record<"mirror_sync" | "push_mirror_sync" | "fork_sync", KindActions> {
  return {
    fork_sync: {
      retry: (actor, looked) =>
        anew(deps, { actor, looked, begin: () => deps.forkSyncService.again(forkFor(looked.work)) }),
      stopRetrying: (found) => deps.forkSyncs.giveUp(forkFor(found)),
    },
    mirror_sync: {
      retry: (actor, looked) =>
        anew(deps, {
          actor,
          looked,
          begin: () => deps.mirrorSchedules.syncNow(mirroredBy(looked.work)),
        }),
      stopRetrying: (found) => deps.mirrorSyncs.giveUp(mirroredBy(found)),
    },
    push_mirror_sync: {
      retry: (actor, looked) =>
        anew(deps, {
          actor,
          looked,
          begin: () => deps.pushMirrorSchedules.syncNow(pushMirrorKey(pushMirrorFor(looked.work))),
        }),
      stopRetrying: (found) => deps.pushMirrorSyncs.giveUp(pushMirrorFor(found).pushMirrorId),
    },
  };
}

function importActions({ imports }: KindActionsDeps): KindActions {
  return {
    retry: () =>
      Promise.reject(new AppError("conflict", { message: "Whoever began the import goes on with it." })),
    async stopRetrying({ id }, problem) {
      const place = importOf(id);
      if (!place) throw new AppError("conflict", { message: "Its id names no import." });
      await imports.giveUp(place, problem);
    },
  };
}

function auditActions(deps: KindActionsDeps): Record<"audit_export" | "audit_stream", KindActions> {
  return {
    audit_export: {
      retry: (_actor, _looked) =>
        Promise.reject(new AppError("conflict", { message: "Ask for a new export of the audit log." })),
      stopRetrying: (found) => deps.auditExports.giveUp(exportOf(found)),
    },
    audit_stream: {
      retry: (actor, looked) =>
        anew(deps, { actor, looked, begin: () => deps.auditStreams.resume(streamOf(looked.work)) }),
      stopRetrying: (found) => deps.auditStreams.stop(streamOf(found)),
    },
  };
}

function mirroredBy({ id }: Described): string {
  const repositoryId = mirroredRepositoryOf(id);
  if (repositoryId === undefined) throw new AppError("conflict", { message: "Its id names no mirror." });
  return repositoryId;
}

function forkFor({ id }: Described): string {
  const repositoryId = forkOf(id);
  if (repositoryId === undefined) throw new AppError("conflict", { message: "Its id names no fork." });
  return repositoryId;
}

function pushMirrorFor({ id }: Described): PushMirrorPlace {
  const place = pushMirrorOf(id);
  if (!place) throw new AppError("conflict", { message: "Its id names no push mirror." });
  return place;
}

function exportOf({ id }: Described): string {
  const exportId = auditExportOf(id);
  if (exportId === undefined) throw new AppError("conflict", { message: "Its id names no export." });
  return exportId;
}

function streamOf({ id }: Described): string {
  const streamId = auditStreamOf(id);
  if (streamId === undefined) throw new AppError("conflict", { message: "Its id names no stream." });
  return streamId;
}

function rotationOf({ id }: Described): string {
  const rotationId = rotationOfWorkflow(id);
  if (rotationId === undefined) throw new AppError("conflict", { message: "Its id names no rotation." });
  return rotationId;
}

/** Throws `conflict` for work without a run, or whose run is gone. */
export function runOf({ work, subject }: FoundWork): RecoveredRun {
  const about = subjectOfWorkflow(work.kind, work.id);
  if (about?.type !== "run" || !subject)
    throw new AppError("conflict", { message: "The run no longer exists." });
  const { pipelineId, sequence } = about;
  return { pipelineId, sequence, name: `${subject.name}#${subject.number}` };
}

async function countAgain(deps: KindActionsDeps, actor: Actor, { work, subject }: FoundWork): Promise<void> {
  const about = subjectOfWorkflow(work.kind, work.id);
  if (about?.type !== "repository")
    throw new AppError("conflict", { message: "Its id names no repository." });
  const { repositoryId } = about;
  const { taskQueue } = deps;
  const options = { taskQueue, workflowId: statisticsWorkflowId(repositoryId), args: [{ repositoryId }] };
  await deps.recorded(actor, entryOf("admin.work_retry", work, { subject, details: {} }), async () => {
    await asked(deps.temporal, (client) => client.workflow.start(statisticsWorkflowName, options)).catch(
      (error: unknown) => {
        if (error instanceof WorkflowExecutionAlreadyStartedError)
          throw new AppError("conflict", { message: "It has already been restarted." });
        throw error;
      },
    );
  });
}

/** Work whose beginning is safe to ask for twice. */
function anew(
  deps: KindActionsDeps,
  { actor, looked, begin }: { actor: Actor; looked: FoundWork; begin: () => Promise<void> },
): Promise<void> {
  const { work, subject } = looked;
  return deps.recorded(actor, entryOf("admin.work_retry", work, { subject, details: {} }), () =>
    asked(deps.temporal, begin),
  );
}

function nextRound(deps: KindActionsDeps, actor: Actor, { work, subject }: FoundWork): Promise<void> {
  return deps.recorded(actor, entryOf("admin.work_retry", work, { subject, details: {} }), () =>
    deps.maintenanceSchedule.beginRound().catch((error: unknown) => {
      if (error instanceof ScheduleNotFoundError)
        throw new AppError("conflict", { message: "Maintenance is switched off." });
      return asked(deps.temporal, () => Promise.reject(error as Error));
    }),
  );
}
