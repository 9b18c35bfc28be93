/** Carries out what the decisions want to start: judges conditions, learns combinations, and hands attempts to the engine. */
import { knownStepNames } from "@forgeline/compiler/step-names.ts";
import { renderJob } from "@forgeline/compiler/render-job.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { JobStart, JobStarted } from "@forgeline/schemas/pipelines/run-activities.ts";
import { contextsOf, topEnvironment, type LanguageContext } from "@forgeline/compiler/plan-language.ts";
import { judgeJob } from "@forgeline/compiler/job-conditions.ts";
import { neededJobs } from "@forgeline/server/domains/pipelines/runs/needed-jobs.ts";
import { heldHere } from "./approvals.ts";
import { expandJob } from "./expand-job.ts";
import { plannedJob } from "./graph.ts";
import { runFacts, type LocalJob, type LocalRun } from "./local-run.ts";
import type { RunRecord } from "./run-record.ts";
import { asRunHere, refusedHere } from "./restrictions.ts";
import { startsPipeline } from "./triggers.ts";
import { missingSecret } from "./secrets.ts";

/** An attempt that can begin. */
export interface ReadyAttempt {
  row: LocalJob;
  attempt: number;
  /** With everything evaluated that a server would. */
  job: PlanJob;
  /** As far as they are known. */
  stepNames: readonly string[];
}

/** What a job that starts now can see. */
export function startContext(run: LocalRun, row: LocalJob, job: PlanJob): LanguageContext {
  const needs = neededJobs(job.needs, run.jobs, ({ outputs }) => outputs);
  return { event: run.event, pipeline: runFacts(run), needs, matrix: row.matrix };
}

export function startJobs(
  record: RunRecord,
  starts: readonly JobStart[],
  begin: (ready: ReadyAttempt) => void,
): JobStarted[] {
  return starts.map((start) => {
    const row = record.run.jobs.find((job) => job.id === start.jobId);
    if (!row) throw new Error(`job ${start.jobId} is not part of the run`);
    const job = plannedJob(record.run.plan, row);
    if (start.expand)
      return expandJob(record, row, { job, start, context: startContext(record.run, row, job) });
    return startJob(record, { row, job, start }, begin);
  });
}

function startJob(
  record: RunRecord,
  { row, job, start }: { row: LocalJob; job: PlanJob; start: JobStart },
  begin: (ready: ReadyAttempt) => void,
): JobStarted {
  const { run } = record;
  const context = startContext(run, row, job);
  const stage = run.plan.stages.find((candidate) => candidate.name === job.stage);
  let rendered: PlanJob;
  try {
    const verdict = start.retry || !stage ? null : judgeJob({ stage, job, start, context });
    if (verdict && !verdict.runs) {
      record.skipJob(row, verdict);
      return { jobId: row.id, status: "skipped", reason: verdict.reason };
    }
    const held = run.approved ? null : heldHere(run.plan, job);
    if (held) {
      record.moveJob(row, "skip", held);
      return { jobId: row.id, status: "skipped", reason: held.reason };
    }
    if (job.trigger) {
      record.moveJob(row, "skip", startsPipeline(job.trigger));
      return { jobId: row.id, status: "skipped", reason: "trigger" };
    }
    rendered = { ...renderJob(job, contextsOf(context)), matrix: null };
    // The lease has it; errors must show here.
    topEnvironment(run.plan.env, run.event, context.pipeline);
  } catch (error) {
    record.moveJob(row, "break", { reason: "config", message: (error as Error).message });
    return { jobId: row.id, status: "error", reason: "config" };
  }
  const missing = missingSecret(rendered, run.secrets) ?? refusedHere(rendered, run);
  if (missing) {
    record.moveJob(row, "break", missing);
    return { jobId: row.id, status: "error", reason: missing.reason };
  }
  const stepNames = knownStepNames(job, contextsOf(context));
  begin({ row, attempt: start.attempt, job: asRunHere(rendered), stepNames });
  return { jobId: row.id, status: "queued", reason: null };
}
