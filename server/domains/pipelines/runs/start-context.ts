/** What the expressions of a job that is about to start may see. Pure. */
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { JobSettled, JobStart } from "@forgeline/schemas/pipelines/run-activities.ts";
import { runFactsOf, type LanguageContext } from "@forgeline/compiler/plan-language.ts";
import type { GateMails } from "../approvals/gate-mails.ts";
import type { SignJobs } from "../signing-keys/sign-jobs.ts";
import type { Outputs } from "./jobs.store.ts";
import { neededJobs } from "./needed-jobs.ts";
import type { RunPlan } from "./plan-cache.ts";
import type { RunJob, RunRecord } from "./run-record.ts";

export interface Starting {
  run: RunRecord;
  plan: RunPlan;
  /** `https://HOST`, for the run's address in expressions. */
  webUrl: string;
  /** For mails to approvers. */
  mail: GateMails["mail"];
  signJobs: SignJobs;
  /** The highest that a job can have. */
  maxPriority: number;
  settled: readonly JobSettled[];
  starts: readonly JobStart[];
}

/** A job that the workflow wants to start. */
export interface Startable {
  row: RunJob;
  job: PlanJob;
  start: JobStart;
}

/** `outputs` by id of the jobs that it needs. */
export function startContext(
  { run, plan, webUrl }: Starting,
  { job, row }: Pick<Startable, "job" | "row">,
  outputs: ReadonlyMap<string, Outputs>,
): LanguageContext {
  return {
    event: plan.event,
    pipeline: runFactsOf(run.pipeline.id, plan, webUrl),
    needs: neededJobs(job.needs, run.jobs, ({ id }) => outputs.get(id) ?? {}),
    matrix: row.matrix,
  };
}
