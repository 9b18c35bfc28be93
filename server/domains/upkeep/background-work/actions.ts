/** What administrators do about background work. Each way fits its kind, so that no run says anything else than its work. */
import { randomUUID } from "node:crypto";
import { ScheduleNotFoundError, WorkflowExecutionAlreadyStartedError } from "@temporalio/client";
import type { WorkDetail } from "@forgeline/schemas/background-work/resource.ts";
import { statisticsWorkflowId, statisticsWorkflowName } from "@forgeline/schemas/statistics/workflow.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Temporal } from "../../../platform/temporal.ts";
import { grpcCodeOf, grpcCodes } from "../../../platform/temporal-errors.ts";
import { type AuditEntry, recordAudit } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { MaintenanceSchedule } from "../maintenance/schedule.ts";
import type { MaintenanceService } from "../maintenance/service.ts";
import type { RecoveredRun, RunRecovery } from "../../pipelines/domain.ts";
import type { StatisticsComputation } from "../../hosting/domain.ts";
import { asked, type Described } from "./executions.ts";
import { subjectOfWorkflow } from "./kinds.ts";
import { mayBeTriedNow } from "./pending-steps.ts";
import type { WorkMetrics } from "./metrics.ts";
import type { FoundWork, WorkService } from "./service.ts";
import type { SubjectRow } from "./subject.store.ts";

export interface WorkActions {
  /** Throws `not_found`, `conflict` for what has ended, `unavailable` while Temporal does not answer. */
  cancel(actor: Actor, id: string, force: boolean): Promise<WorkDetail>;
  /** The same errors; `conflict` where there is nothing to try. */
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
  metrics: WorkMetrics;
}

export function createWorkActions(deps: WorkActionsDeps): WorkActions {
  const { db, temporal, work, rescue, metrics } = deps;
  const conflict = (message: string) => new AppError("conflict", { message });

  /** The entry comes first, so that nothing is done whose entry cannot be written. */
  const recorded = (actor: Actor, entry: AuditEntry, act: (tx: Transaction) => Promise<void>) =>
    db.transaction(async (tx) => {
      await recordAudit(tx, actor, entry);
      await act(tx);
    });

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
    else throw conflict("This work has ended; with force its run ends too.");
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
    await leaveAlone(found, `cancelled by ${actor.username}`);
  }

  /** What it was at is not begun anew at once. */
  async function leaveAlone(found: Described, problem: string): Promise<void> {
    const about = subjectOfWorkflow(found.kind, found.id);
    if (about?.type === "repository") await deps.statistics.giveUp(about.repositoryId, problem);
    if (found.kind !== "repository_upkeep") return;
    for (const { repositoryId } of found.steps)
      if (repositoryId !== null) await deps.maintenance.giveUp(repositoryId, problem);
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

  const countAgain = (actor: Actor, { work: found, subject }: FoundWork, repositoryId: string) =>
    recorded(actor, entryOf("admin.work_retry", found, { subject, details: {} }), async () => {
      const { taskQueue } = deps;
      const options = { taskQueue, workflowId: statisticsWorkflowId(repositoryId), args: [{ repositoryId }] };
      await asked(temporal, (client) => client.workflow.start(statisticsWorkflowName, options)).catch(
        (error: unknown) => {
          if (error instanceof WorkflowExecutionAlreadyStartedError)
            throw conflict("It was begun again meanwhile.");
          throw error;
        },
      );
    });

  const nextRound = (actor: Actor, { work: found, subject }: FoundWork) =>
    recorded(actor, entryOf("admin.work_retry", found, { subject, details: {} }), () =>
      deps.maintenanceSchedule.beginRound().catch((error: unknown) => {
        if (error instanceof ScheduleNotFoundError) throw conflict("Upkeep is switched off.");
        return asked(temporal, () => Promise.reject(error as Error));
      }),
    );

  async function again(actor: Actor, looked: FoundWork): Promise<void> {
    const about = subjectOfWorkflow(looked.work.kind, looked.work.id);
    if (about?.type === "run") await rescue.resume(actor, runOf(looked));
    else if (about?.type === "repository") await countAgain(actor, looked, about.repositoryId);
    else await nextRound(actor, looked);
  }

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
      else await again(actor, looked);
      metrics.done("retry", found.kind);
      return work.get(id);
    },
  };
}

function nothingToTry({ state, kind }: Described): string {
  if (state === "running") return "This work goes on by itself; no step of it waits for another attempt.";
  if (state === "completed") return "This work is done.";
  return kind === "pipeline_run"
    ? "Its run is over; run it again from its page."
    : "This work cannot be tried again.";
}

function runOf({ work, subject }: FoundWork): RecoveredRun {
  const about = subjectOfWorkflow(work.kind, work.id);
  if (about?.type !== "run" || !subject) throw new AppError("conflict", { message: "The run is gone." });
  const { pipelineId, sequence } = about;
  return { pipelineId, sequence, name: `${subject.repository}#${subject.number}` };
}

function entryOf(
  action: "admin.work_cancel" | "admin.work_retry",
  { id, kind }: Described,
  { subject, details }: { subject: SubjectRow | null; details: Record<string, unknown> },
): AuditEntry {
  const target = subject
    ? { type: "repository", id: subject.id, name: subject.repository }
    : { type: "work", id, name: id };
  return { action, target, details: { ...details, kind } };
}

function unlessEnded(error: unknown): void {
  if (error instanceof AppError && error.code === "not_found") return;
  if (grpcCodeOf(error) !== grpcCodes.failedPrecondition) throw error;
}
