/** Names of jobs with expressions: evaluated once the run has its number, and a combination its values. */
import { combinationName } from "@forgeline/compiler/matrix.ts";
import { renderTemplate } from "@forgeline/compiler/template.ts";
import type { MatrixValues, PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { contextsOf, runFactsOf } from "@forgeline/compiler/plan-language.ts";
import { writeNames } from "./jobs.store.ts";
import type { RunPlan } from "./plan-cache.ts";
import type { RunRecord } from "./run-record.ts";

export interface NamedRun {
  pipelineId: string;
  plan: RunPlan;
  /** `https://HOST`, for the run's address in expressions. */
  webUrl: string;
}

export async function nameJobs(
  tx: Transaction,
  record: RunRecord,
  run: Omit<NamedRun, "pipelineId">,
): Promise<void> {
  const pipelineId = record.pipeline.id;
  const planned = new Map(run.plan.plan.jobs.map((job) => [job.key, job]));
  const named = record.jobs.flatMap((row) => {
    const job = planned.get(row.key);
    if (!job?.name.includes("${{") || !row.expanded) return [];
    return [{ id: row.id, name: nameOfJob(job, row.matrix, { ...run, pipelineId }) }];
  });
  if (named.length > 0) await writeNames(tx, pipelineId, named);
}

/** A name that cannot be evaluated stays as written; its job later shows the reason. */
export function nameOfJob(
  { name }: Pick<PlanJob, "name">,
  matrix: MatrixValues | null,
  { pipelineId, plan, webUrl }: NamedRun,
): string {
  const whole = combinationName(name, matrix);
  if (!name.includes("${{")) return whole;
  // What the values of a matrix put after the name is no template.
  const values = whole.slice(name.length);
  const pipeline = runFactsOf(pipelineId, plan, webUrl);
  try {
    return renderTemplate(name, contextsOf({ event: plan.event, pipeline, needs: {}, matrix })) + values;
  } catch {
    return whole;
  }
}
