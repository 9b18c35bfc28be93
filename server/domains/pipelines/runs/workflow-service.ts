/**
 * What the workflow's activities do to a run. Each method locks the run, may be called twice with the same input
 * and then changes nothing, and throws `conflict` when another sequence of the run is the current one.
 */
import type {
  FinishRun,
  ForceEnd,
  JobStarted,
  JobStopped,
  LoadRun,
  RequestStop,
  SettleJobs,
  StartJobs,
} from "@forgeline/schemas/pipelines/run-activities.ts";
import { highestPriority } from "@forgeline/schemas/pipeline-file/file-priority.ts";
import type { RunGraph } from "@forgeline/schemas/pipelines/workflow.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Logger } from "../../../platform/logger.ts";
import { crashPoint } from "../../../platform/crash-point.ts";
import type { GateMails } from "../approvals/gate-mails.ts";
import type { SignJobs } from "../signing-keys/sign-jobs.ts";
import { finishRun } from "./finish-run.ts";
import { nameJobs } from "./job-names.ts";
import { expectOpenSlots } from "./job-slots.ts";
import { loadRun, type RunLimits } from "./load-run.ts";
import type { RunMetrics } from "./metrics.ts";
import { createPlanCache } from "./plan-cache.ts";
import { lockRun, type RunRecord } from "./run-record.ts";
import { settleJobs } from "./settle-jobs.ts";
import { startJobs } from "./start-jobs.ts";
import { forceEnd, requestStop } from "./stop-jobs.ts";

export interface RunServiceDeps {
  db: Database;
  /** `https://HOST`, for the run's address in expressions. */
  webUrl: string;
  mail: GateMails["mail"];
  signJobs: SignJobs;
  metrics: RunMetrics;
  logger: Logger;
  /** The highest that a job can have. Default: what a file can ask for. */
  maxPriority?: number;
  /** Defaults: 10 s, 15 s, 5 min. */
  limits?: RunLimits;
}

export interface RunService {
  loadRun(input: LoadRun): Promise<RunGraph>;
  startJobs(input: StartJobs): Promise<JobStarted[]>;
  settleJobs(input: SettleJobs): Promise<void>;
  requestStop(input: RequestStop): Promise<JobStopped[]>;
  forceEnd(input: ForceEnd): Promise<JobStopped[]>;
  finishRun(input: FinishRun): Promise<void>;
}

export const defaultRunLimits: RunLimits = { graceMs: 10_000, marginMs: 15_000, alwaysMs: 300_000 };

export function createRunService(deps: RunServiceDeps): RunService {
  const { db, webUrl, mail, signJobs, limits = defaultRunLimits, maxPriority = highestPriority } = deps;
  const plans = createPlanCache();
  const locked = async <T>(
    input: LoadRun,
    work: (tx: Transaction, run: RunRecord) => Promise<T>,
  ): Promise<T> => {
    const result = await db.transaction(async (tx) => {
      const run = await lockRun(tx, input.pipelineId);
      if (!run) throw new AppError("not_found", { message: `run ${input.pipelineId} is gone` });
      if (run.pipeline.sequence !== input.sequence) {
        throw new AppError("conflict", { message: `sequence ${input.sequence} of the run is over` });
      }
      if (run.pipeline.needs_approval)
        throw new AppError("conflict", { message: "the run was not approved" });
      return work(tx, run);
    });
    crashPoint("run.changed-before-answer");
    return result;
  };
  return {
    async loadRun(input) {
      const plan = await plans.get(db, input.pipelineId);
      return locked(input, async (tx, run) => {
        await nameJobs(tx, run, { plan, webUrl });
        await expectOpenSlots(tx, run, plan);
        return loadRun(tx, run, { plan: plan.plan, limits });
      });
    },
    async startJobs(input) {
      const plan = await plans.get(db, input.pipelineId);
      const given = { plan, webUrl, mail, signJobs, maxPriority, settled: input.settled, starts: input.jobs };
      return locked(input, (tx, run) => startJobs(tx, { ...given, run }));
    },
    settleJobs: (input) => locked(input, (tx, run) => settleJobs(tx, run, input.jobs)),
    requestStop: (input) =>
      locked(input, (tx, run) => requestStop(tx, run, { stops: input.jobs, graceMs: limits.graceMs })),
    forceEnd: (input) => locked(input, (tx, run) => forceEnd(tx, run, input.jobs)),
    finishRun: (input) =>
      locked(input, async (tx, run) => {
        await finishRun(tx, run, input);
        const { id, status, reason, running_seconds } = run.pipeline;
        tx.afterCommit(() => {
          deps.metrics.ended(status, running_seconds);
          deps.logger.info({ pipeline_id: id, sequence: input.sequence, status, reason }, "pipeline ended");
        });
      }),
  };
}
