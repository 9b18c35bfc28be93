/** Loads the graph for the workflow's decisions; marks what must be done in this sequence as waiting. */
import { isFinal } from "@forgeline/schemas/pipelines/status.ts";
import type { Plan, PlanJob, PlanMatrix } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { RunGraph } from "@forgeline/schemas/pipelines/workflow.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { checksStatus, runsAlways } from "@forgeline/compiler/job-conditions.ts";
import { childWaits } from "./child-wait.ts";
import { nextJobStatus } from "./job-states.ts";
import { reasonSentence } from "./reasons.ts";
import { moveJob, saveRun, type RunJob, type RunRecord } from "./run-record.ts";

export type RunLimits = RunGraph["limits"];

export async function loadRun(
  tx: Transaction,
  run: RunRecord,
  { plan, limits }: { plan: Plan; limits: RunLimits },
): Promise<RunGraph> {
  const planned = new Map(plan.jobs.map((job) => [job.key, job]));
  for (const job of run.jobs) {
    if (nextJobStatus(job.status, "load")) moveJob(run, job, waiting(plan, planned.get(job.key)));
  }
  if (run.changedJobs.size > 0) await saveRun(tx, run);
  return {
    pipelineId: run.pipeline.id,
    timeoutMs: plan.timeoutMs,
    limits,
    stages: plan.stages.map((stage, index) => ({
      id: run.stages[index]?.id ?? "",
      name: stage.name,
      needs: stage.needs,
      timeoutMs: stage.timeoutMs,
      afterOrder: checksStatus(stage.when),
    })),
    jobs: run.jobs.flatMap((job) => {
      const known = planned.get(job.key);
      return known ? [graphJob(plan, known, job)] : [];
    }),
  };
}

function waiting(plan: Plan, job: PlanJob | undefined) {
  const index = plan.stages.findIndex((stage) => stage.name === job?.stage);
  const after =
    plan.stages[index]?.needs ?? plan.stages.slice(Math.max(index - 1, 0), index).map((s) => s.name);
  const reason = job?.needs ? "needs" : "stage_order";
  const detail = job?.needs ? job.needs.map((need) => need.job).join(", ") : after.join(", ");
  return { event: "load", reason, message: reasonSentence(`${reason}:${detail}`) } as const;
}

function graphJob(plan: Plan, job: PlanJob, row: RunJob): RunGraph["jobs"][number] {
  const stage = plan.stages.find((candidate) => candidate.name === job.stage);
  const { key, needs, retry, rerunIfLost, allowFailure, timeoutMs, queueTimeoutMs } = job;
  const kept = isFinal(row.status) ? { status: row.status, reason: row.reason, allowed: row.allowed } : null;
  const isInProgress = row.status === "queued" || row.status === "running" || row.status === "cancelling";
  const going = {
    attempt: row.attempts,
    started: row.status !== "queued",
    ...(row.status === "running" && row.reason === childWaits ? { childWaits: true } : {}),
  };
  return {
    id: row.id,
    key,
    stage: job.stage,
    needs,
    ...(job.approval || job.environment || stage?.approval ? { gated: true } : {}),
    retry,
    rerunIfLost,
    allowFailure,
    timeoutMs,
    queueTimeoutMs,
    always: runsAlways(job.when) || runsAlways(stage?.when ?? []),
    // A pipeline that it has started may itself have such steps.
    alwaysSteps: job.trigger?.wait === true || job.steps.some((step) => runsAlways(step.when)),
    attempts: isInProgress ? row.attempts - 1 : row.attempts,
    ...(isInProgress ? { going } : {}),
    kept,
    ...(job.matrix ? { combination: combinationOf(job.matrix, row) } : {}),
  };
}

function combinationOf({ maxParallel, failFast }: PlanMatrix, row: RunJob) {
  return { values: row.matrix, isOpen: !row.expanded, maxParallel, failFast };
}
