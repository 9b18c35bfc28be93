/** What the decisions need to know of a local run, in the form that the server's workflow gets it. */
import type { Plan, PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { RunGraph } from "@forgeline/schemas/pipelines/workflow.ts";
import { checksStatus, runsAlways } from "@forgeline/compiler/job-conditions.ts";
import type { LocalJob, LocalRun } from "./local-run.ts";

/** As on a server. */
export const graceMs = 10_000;
const limits: RunGraph["limits"] = { graceMs, marginMs: 15_000, alwaysMs: 300_000 };
/** Nobody waits for a runner here, so this limit of the file means nothing. */
const unlimitedMs = 365 * 24 * 60 * 60 * 1000;

export function graphOf({ id, plan, stages, jobs }: LocalRun): RunGraph {
  return {
    pipelineId: id,
    timeoutMs: plan.timeoutMs,
    limits,
    stages: stages.map((stage) => ({
      id: stage.id,
      name: stage.plan.name,
      needs: stage.plan.needs,
      timeoutMs: stage.plan.timeoutMs,
      afterOrder: checksStatus(stage.plan.when),
    })),
    jobs: jobs.map((row) => graphJob(plan, plannedJob(plan, row), row)),
  };
}

/** The job of the file that a row, or a combination of it, stands for. */
export function plannedJob({ jobs }: Plan, { key }: Pick<LocalJob, "key">): PlanJob {
  const job = jobs.find((candidate) => candidate.key === key);
  if (!job) throw new Error(`job ${key} is not part of the plan`);
  return job;
}

function graphJob(plan: Plan, job: PlanJob, row: LocalJob): RunGraph["jobs"][number] {
  const stage = plan.stages.find((candidate) => candidate.name === job.stage);
  const { key, needs, retry, rerunIfLost, allowFailure, timeoutMs, matrix } = job;
  return {
    id: row.id,
    key,
    stage: job.stage,
    needs,
    retry,
    rerunIfLost,
    allowFailure,
    timeoutMs,
    queueTimeoutMs: unlimitedMs,
    always: runsAlways(job.when) || runsAlways(stage?.when ?? []),
    alwaysSteps: job.steps.some((step) => runsAlways(step.when)),
    attempts: 0,
    kept: row.kept ? { status: "success", reason: null, allowed: false } : null,
    ...(matrix ? { combination: combinationOf(matrix, row) } : {}),
  };
}

function combinationOf({ maxParallel, failFast }: NonNullable<PlanJob["matrix"]>, row: LocalJob) {
  return { values: row.matrix, isOpen: !row.expanded, maxParallel, failFast };
}
