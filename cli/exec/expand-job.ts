/** Learns the combinations of a matrix that depends on what its job needs. Its row becomes the first of them. */
import { expandMatrix } from "@forgeline/compiler/expand-matrix.ts";
import { ExpressionProblem } from "@forgeline/compiler/expression/problem.ts";
import { atMost, defaultLimits } from "@forgeline/compiler/held-limits.ts";
import { MatrixProblem } from "@forgeline/compiler/matrix.ts";
import type { MatrixValues, PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { JobStart, JobStarted } from "@forgeline/schemas/pipelines/run-activities.ts";
import { contextsOf, type LanguageContext } from "@forgeline/compiler/plan-language.ts";
import { judgeJob } from "@forgeline/compiler/job-conditions.ts";
import { reasonSentence } from "@forgeline/server/domains/pipelines/runs/reasons.ts";
import { nameOf, newJob, type LocalJob, type LocalRun } from "./local-run.ts";
import type { RunRecord } from "./run-record.ts";

export interface Expanding {
  job: PlanJob;
  start: JobStart;
  context: LanguageContext;
}

export function expandJob(record: RunRecord, row: LocalJob, one: Expanding): JobStarted {
  const { run } = record;
  if (skipIfPrevented(record, row, one)) return ended(row, "skipped");
  const combinations = combinationsOf(run, one);
  if (typeof combinations === "string") {
    record.moveJob(row, "break", { reason: "config", message: combinations });
    return ended(row, "error");
  }
  if (combinations.length === 0) {
    record.moveJob(row, "skip", { reason: "matrix_empty", message: reasonSentence("matrix_empty") });
    return ended(row, "skipped");
  }
  const rows = placeRows(record, row, { job: one.job, combinations });
  const learned = rows.map(({ id, matrix }) => ({ jobId: id, values: matrix ?? {} }));
  return { jobId: row.id, status: "expanded", reason: row.reason, combinations: learned };
}

function ended({ id, reason }: LocalJob, status: "skipped" | "error"): JobStarted {
  return { jobId: id, status, reason };
}

/** It must not run after this outcome. The rest of its conditions is for each combination to meet. */
function skipIfPrevented(record: RunRecord, row: LocalJob, { job, start, context }: Expanding): boolean {
  const stage = record.run.plan.stages.find((candidate) => candidate.name === job.stage);
  if (!stage) return false;
  const when = job.when.map(({ status, text }) => ({ text, ...(status ? { status } : {}) }));
  const verdict = judgeJob({ stage, job: { ...job, when }, start, context });
  if (verdict.runs) return false;
  record.skipJob(row, verdict);
  return true;
}

/** A sentence where there are none because of a mistake. */
function combinationsOf({ jobs }: LocalRun, { job, context }: Expanding): MatrixValues[] | string {
  if (!job.matrix?.source) return "The plan of the run has no such matrix.";
  try {
    const found = expandMatrix(job.matrix.source, contextsOf(context));
    const total = jobs.length - 1 + found.length;
    if (total <= defaultLimits.jobs.value) return found;
    return `With this matrix the run has ${total} jobs; ${atMost(defaultLimits.jobs)}.`;
  } catch (error) {
    if (error instanceof MatrixProblem || error instanceof ExpressionProblem)
      return `The matrix cannot be used: ${error.message}.`;
    throw error;
  }
}

function placeRows(
  record: RunRecord,
  row: LocalJob,
  { job, combinations }: { job: PlanJob; combinations: readonly MatrixValues[] },
): LocalJob[] {
  const { run } = record;
  const [first = null, ...others] = combinations;
  Object.assign(row, { matrix: first, expanded: true, name: nameOf(run, job, first) });
  const added = others.map((matrix) => newJob(run, job, matrix));
  run.jobs.splice(run.jobs.indexOf(row) + 1, 0, ...added);
  const { reason, message } = row;
  for (const one of added) record.moveJob(one, "load", { reason, message });
  return [row, ...added];
}
