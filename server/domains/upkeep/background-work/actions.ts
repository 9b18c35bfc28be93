/**
 * Actions of administrators on background work. Each kind has its own way, so that runs and their workflows stay consistent.
 */
import { randomUUID } from "node:crypto";
import type { WorkDetail } from "@forgeline/schemas/background-work/resource.ts";
import type { Database } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { TemporalSchedules } from "../../../platform/temporal-schedules.ts";
import type { Temporal } from "../../../platform/temporal.ts";
import { grpcCodeOf, grpcCodes } from "../../../platform/temporal-errors.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { MaintenanceSchedule } from "../maintenance/schedule.ts";
import type { MaintenanceService } from "../maintenance/service.ts";
import type {
  AuditExports,
  AuditStreams,
  FollowerWorkflows,
  MirrorSchedules,
  MirrorSyncs,
  PushMirrorSyncs,
  ForkSyncs,
  Imports,
  ForkSyncService,
  WebhookRetries,
} from "../../automation/domain.ts";
import type { RunRecovery } from "../../pipelines/domain.ts";
import type { KeyRotation } from "../../operation/domain.ts";
import type { StatisticsComputation } from "../../hosting/domain.ts";
import { createRecorder, entryOf } from "./audit-entries.ts";
import { asked, type Described } from "./executions.ts";
import { createKindActions, runOf } from "./kind-actions.ts";
import { mayBeTriedNow } from "./pending-steps.ts";
import type { WorkMetrics } from "./metrics.ts";
import type { FoundWork, WorkService } from "./service.ts";

export interface WorkActions {
  /** Throws `not_found`, `conflict` if it has ended, `unavailable` while Temporal does not answer. */
  cancel(actor: Actor, id: string, force: boolean): Promise<WorkDetail>;
  /** The same errors; `conflict` if there is nothing to retry. */
  retry(actor: Actor, id: string): Promise<WorkDetail>;
}

export interface WorkActionsDeps {
  db: Database;
  temporal: Temporal;
  taskQueue: string;
  work: WorkService;
  rescue: RunRecovery;
  maintenance: MaintenanceService;
  maintenanceSchedule: MaintenanceSchedule;
  statistics: StatisticsComputation;
  followerWorkflows: FollowerWorkflows;
  webhookRetries: WebhookRetries;
  mirrorSyncs: MirrorSyncs;
  mirrorSchedules: MirrorSchedules;
  pushMirrorSyncs: PushMirrorSyncs;
  pushMirrorSchedules: MirrorSchedules;
  forkSyncs: ForkSyncs;
  forkSyncService: ForkSyncService;
  keyRotation: KeyRotation;
  imports: Imports;
  auditExports: AuditExports;
  auditStreams: AuditStreams;
  schedules: TemporalSchedules;
  metrics: WorkMetrics;
}

export function createWorkActions(deps: WorkActionsDeps): WorkActions {
  const { temporal, work, rescue, metrics } = deps;
  const recorded = createRecorder(deps.db);
  const byKind = createKindActions({ ...deps, recorded });
  const conflict = (message: string) => new AppError("conflict", { message });

  async function terminate({ id, execution }: Described, actor: Actor): Promise<void> {
    await asked(temporal, (client) =>
      client.workflow.getHandle(id, execution).terminate(`ended by ${actor.username}`),
    ).catch(unlessEnded);
  }

  async function cancelRunWork(actor: Actor, looked: FoundWork, force: boolean): Promise<void> {
    const run = runOf(looked);
    if (force) {
      const workflow = () => terminate(looked.work, actor);
      await rescue.end(actor, run, { requestId: actor.request?.id ?? randomUUID(), workflow });
    } else if (looked.detail.may_cancel) await rescue.cancel(actor, run);
    else throw conflict("This work has ended; use force to end its run as well.");
  }

  async function cancelOther(
    actor: Actor,
    { work: found, subject }: FoundWork,
    force: boolean,
  ): Promise<void> {
    await recorded(actor, entryOf("admin.work_cancel", found, { subject, details: { force } }), async () => {
      if (force) return terminate(found, actor);
      await asked(temporal, (client) => client.workflow.getHandle(found.id, found.execution).cancel());
    });
    await byKind[found.kind].stopRetrying(found, `cancelled by ${actor.username}`);
  }

  const tryNow = (actor: Actor, { work: found, subject }: FoundWork) =>
    recorded(actor, entryOf("admin.work_retry", found, { subject, details: { now: true } }), async () => {
      for (const { activityId: id } of found.steps.filter(mayBeTriedNow))
        await asked(temporal, (client) =>
          client.workflowService.resetActivity({
            namespace: client.options.namespace,
            execution: { workflowId: found.id, runId: found.execution },
            id,
          }),
        ).catch(unlessEnded);
    });

  return {
    async cancel(actor, id, force) {
      const looked = await work.look(id);
      const { detail, work: found } = looked;
      if (!detail.may_end) throw conflict(`This work is over: ${found.state}.`);
      if (looked.isOfOpenRun) await cancelRunWork(actor, looked, force);
      else await cancelOther(actor, looked, force);
      metrics.done(force ? "end" : "cancel", found.kind);
      return work.get(id);
    },
    async retry(actor, id) {
      const looked = await work.look(id);
      const { detail, work: found } = looked;
      if (detail.may_retry === null) throw conflict(nothingToTry(found));
      if (detail.may_retry === "now") await tryNow(actor, looked);
      else await byKind[found.kind].retry(actor, looked);
      metrics.done("retry", found.kind);
      return work.get(id);
    },
  };
}

function nothingToTry({ state, kind }: Described): string {
  if (state === "running") return "This work is running; none of its steps is waiting for another attempt.";
  if (state === "completed") return "This work has finished successfully.";
  return kind === "pipeline_run"
    ? "Its run is over; run it again from its page."
    : "This work cannot be retried.";
}

function unlessEnded(error: unknown): void {
  if (error instanceof AppError && error.code === "not_found") return;
  if (grpcCodeOf(error) !== grpcCodes.failedPrecondition) throw error;
}
