/** A local run as it is now. Times are milliseconds since 1970. */
import type { Permitted } from "./restrictions.ts";
import { combinationName } from "@forgeline/compiler/matrix.ts";
import { renderTemplate } from "@forgeline/compiler/template.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { MatrixValues, Plan, PlanJob, PlanStage } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { FoundReports } from "@forgeline/server/domains/pipelines/reports/parse/found.ts";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import { contextsOf } from "@forgeline/compiler/plan-language.ts";
import { newId } from "@forgeline/server/platform/ids.ts";

export interface LocalNode {
  id: string;
  status: Status;
  reason: string | null;
  message: string | null;
  startedAtMs: number | null;
  finishedAtMs: number | null;
}

export interface LocalStep extends LocalNode {
  position: number;
  name: string;
  parallel: number | null;
  exitCode: number | null;
}

export interface LocalAttempt extends LocalNode {
  attempt: number;
  exitCode: number | null;
  warnings: string[];
  queuedAtMs: number;
  steps: LocalStep[];
}

export interface LocalJob extends LocalNode {
  key: string;
  name: string;
  stage: string;
  matrix: MatrixValues | null;
  /** False while it stands for all combinations of its matrix. */
  expanded: boolean;
  allowed: boolean;
  outputs: Record<string, string>;
  /** What its newest attempt with reports has told. */
  reports: FoundReports | null;
  /** Oldest first. */
  attempts: LocalAttempt[];
  /** Not to be run, but others depend on it: it counts as a success. */
  kept: boolean;
}

export interface LocalStage extends LocalNode {
  plan: PlanStage;
  warnings: number;
}

export interface LocalRun extends LocalNode, Permitted {
  plan: Plan;
  event: PipelineEvent;
  warnings: number;
  stages: LocalStage[];
  jobs: LocalJob[];
  createdAtMs: number;
  /** What needs approval has it. */
  approved: boolean;
  /** Shells print each command before they run it. */
  debug: boolean;
  secrets: Readonly<Record<string, string>>;
  /** Why the whole run ended before its parts did. */
  endReason: string | null;
}

export function newNode(prefix: Parameters<typeof newId>[0]): LocalNode {
  const node = { reason: null, message: null, startedAtMs: null, finishedAtMs: null };
  return { id: newId(prefix), status: "created", ...node };
}

/** Nothing has begun. */
export function newRun(
  plan: Plan,
  event: PipelineEvent,
  {
    approved,
    debug,
    openNetwork,
    privileged,
    secrets,
  }: Pick<LocalRun, "approved" | "debug" | "secrets"> & Permitted,
): LocalRun {
  const run: LocalRun = {
    ...newNode("pipe"),
    plan,
    event,
    warnings: 0,
    stages: plan.stages.map((stage) => ({ ...newNode("stg"), plan: stage, warnings: 0 })),
    jobs: [],
    createdAtMs: Date.now(),
    approved,
    debug,
    openNetwork,
    privileged,
    secrets,
    endReason: null,
  };
  run.jobs = plan.jobs.flatMap((job) =>
    (job.matrix?.combinations ?? [null]).map((matrix) => newJob(run, job, matrix)),
  );
  return run;
}

export function newJob(
  run: Pick<LocalRun, "id" | "plan" | "event">,
  job: PlanJob,
  matrix: MatrixValues | null,
): LocalJob {
  return {
    ...newNode("job"),
    key: job.key,
    name: nameOf(run, job, matrix),
    stage: job.stage,
    matrix,
    expanded: job.matrix === null || matrix !== null,
    allowed: false,
    outputs: {},
    reports: null,
    attempts: [],
    kept: false,
  };
}

/** Its key, and the values of its combination. */
export function labelOf({ key, matrix }: Pick<LocalJob, "key" | "matrix">): string {
  return combinationName(key, matrix);
}

/** The context `pipeline`: there is no page, and no number. */
export function runFacts({ id, plan }: Pick<LocalRun, "id" | "plan">) {
  return { id, number: 0, name: plan.name, url: "" };
}

/** A name that cannot be evaluated stays as written; its job later shows the reason. */
export function nameOf(
  run: Pick<LocalRun, "id" | "plan" | "event">,
  { name }: Pick<PlanJob, "name">,
  matrix: MatrixValues | null,
): string {
  const whole = combinationName(name, matrix);
  if (!name.includes("${{")) return whole;
  const context = { event: run.event, pipeline: runFacts(run), needs: {}, matrix };
  try {
    return renderTemplate(name, contextsOf(context)) + whole.slice(name.length);
  } catch {
    return whole;
  }
}
