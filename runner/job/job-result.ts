/** Pure: the result of a job out of its steps, a failure outside of them, and a request to stop. */
import { runnerMessageBytes } from "@forgeline/schemas/runner-protocol/field-limits.ts";
import { JobResult, type StepResult } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { JobContext } from "./job-context.ts";
import type { AskedStop } from "./job-stop.ts";
import type { Outcome } from "./outcome.ts";
import { jobOutputs } from "./read-outputs.ts";
import { decidingStep } from "./run-steps.ts";
import { stepName } from "./step-contexts.ts";

export function jobResult(
  job: Pick<JobContext, "spec" | "record">,
  failure: Outcome | null,
  stop: AskedStop | null,
): JobResult {
  const decided = overall(job, failure, stop);
  const steps = [...job.record.steps, ...stepsNotReached(job, decided)];
  return fitting({
    ...decided,
    outputs: jobOutputs(job),
    steps: steps.toSorted((a, b) => a.position - b.position),
    warnings: job.record.warnings,
    ...(job.record.artifacts ? { artifacts: job.record.artifacts } : {}),
    ...(job.record.reports ? { reports: job.record.reports } : {}),
  });
}

/** What the message has in addition to the result. */
const envelopeBytes = 4 * 1024;
const minWarnings = 20;
const shortTextLength = 100;

/**
 * As a server takes it: texts are cut where they are too long for people. Where each part is as long as it may be they
 * are too much together, and the words about steps give way to the outputs.
 */
function fitting(result: JobResult): JobResult {
  const told = JobResult.parse(result);
  if (Buffer.byteLength(JSON.stringify(told)) <= runnerMessageBytes - envelopeBytes) return told;
  const steps = told.steps.map((step) => ({
    ...step,
    reason: step.reason?.slice(0, shortTextLength).toWellFormed() ?? null,
    message: null,
  }));
  return { ...told, steps, warnings: told.warnings.slice(0, minWarnings) };
}

type Overall = Pick<JobResult, "status" | "reason" | "message" | "exitCode">;

function overall(
  job: Pick<JobContext, "spec" | "record">,
  failure: Outcome | null,
  stop: AskedStop | null,
): Overall {
  const own = stop?.reason === "fail_fast" ? decidingStep(failedBefore(job, stop.atMs)) : null;
  if (own) return failureOf(job, own);
  if (stop) return { status: stop.status, reason: stop.reason, message: stop.message, exitCode: null };
  if (failure) return { ...failure, status: failure.status === "failed" ? "failed" : "error" };
  const step = decidingStep(job);
  if (!step) return { status: "success", reason: null, message: null, exitCode: 0 };
  return failureOf(job, step);
}

/** With the steps that had ended by then only: a combination of a matrix that had failed by itself is not cancelled for another one. */
function failedBefore({ spec, record }: Pick<JobContext, "spec" | "record">, atMs: number) {
  const steps = record.steps.filter(({ finishedAtMs }) => finishedAtMs !== null && finishedAtMs <= atMs);
  return { spec, record: { ...record, steps } };
}

function failureOf(job: Pick<JobContext, "spec" | "record">, step: StepResult): Overall {
  return {
    status: step.status === "error" ? "error" : "failed",
    reason: step.reason,
    message: `Step "${nameOf(job, step.position)}": ${step.message ?? "failed"}`,
    exitCode: step.exitCode,
  };
}

/** As it is written where the expressions in it fail, which is why such a step never began. */
function nameOf(job: Pick<JobContext, "spec" | "record">, position: number): string {
  const step = job.spec.job.steps[position];
  if (!step) return `${position + 1}`;
  try {
    return stepName(job, step);
  } catch {
    return step.name;
  }
}

/** Steps without a result: one that was running when all ended shares the job's end, the rest never began. */
function stepsNotReached({ spec, record }: Pick<JobContext, "spec" | "record">, job: Overall): StepResult[] {
  const known = new Set(record.steps.map((step) => step.position));
  return spec.job.steps
    .filter((step) => !known.has(step.position))
    .map(({ position }) => {
      const begun = record.runningSteps.find((step) => step.position === position);
      const ended = begun || job.status === "cancelled" ? job.status : "skipped";
      return {
        position,
        status: ended,
        reason: job.reason,
        message: job.message,
        exitCode: null,
        startedAtMs: begun?.startedAtMs ?? null,
        finishedAtMs: begun ? Math.max(begun.startedAtMs, Date.now()) : null,
      };
    });
}
