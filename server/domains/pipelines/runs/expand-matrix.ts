/**
 * Learns the combinations of a matrix that depends on what its job needs (`docs/architecture/matrix.md`). The job's row becomes the first
 * combination; in a rerun, rows whose values are still there are kept.
 */
import { expandMatrix } from "@forgeline/compiler/expand-matrix.ts";
import { ExpressionProblem } from "@forgeline/compiler/expression/problem.ts";
import { atMost, limitSentence, type HeldLimits } from "@forgeline/compiler/held-limits.ts";
import { combinationKey, MatrixProblem } from "@forgeline/compiler/matrix.ts";
import type { MatrixValues } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { JobStarted } from "@forgeline/schemas/pipelines/run-activities.ts";
import { isFinal } from "@forgeline/schemas/pipelines/status.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { storableText } from "../../../platform/storable-text.ts";
import { contextsOf, type LanguageContext } from "@forgeline/compiler/plan-language.ts";
import { judgeJob } from "@forgeline/compiler/job-conditions.ts";
import { readHeldLimits } from "../pipeline-limits/held-limits.ts";
import { nameOfJob } from "./job-names.ts";
import { addCombinations, changeCombinations, type CombinationRow } from "./jobs.store.ts";
import { reasonSentence } from "./reasons.ts";
import { moveJob, type JobChange, type RunJob, type RunRecord } from "./run-record.ts";
import { skipJob } from "./skip-job.ts";
import type { Startable, Starting } from "./start-context.ts";

interface Expanding extends Startable {
  /** Without values of the matrix; a sentence where what it needs cannot be read. */
  context: LanguageContext | string;
}

/** Said twice, the second answer is the same. */
export async function expandJob(tx: Transaction, starting: Starting, one: Expanding): Promise<JobStarted> {
  const { run } = starting;
  const { row } = one;
  const rows = run.jobs.filter((other) => other.key === row.key);
  if (row.expanded || isFinal(row.status)) return answerOf(row, rows);
  if (isPrevented(starting, one, rows)) return answerOf(row, rows);
  const limits = await readHeldLimits(tx, run.pipeline.repository_id);
  const combinations = combinationsOf(one, limits);
  const total = run.jobs.length - rows.length + combinations.length;
  const problem =
    typeof combinations !== "string" && total > limits.jobs.value
      ? `With this matrix the run has ${total} jobs; ${atMost(limits.jobs)}.${limitSentence(limits.jobs)}`
      : combinations;
  if (typeof problem === "string")
    endAll(run, rows, { event: "break", reason: "config", message: storableText(problem) });
  else if (problem.length === 0)
    endAll(run, rows, { event: "skip", reason: "matrix_empty", message: reasonSentence("matrix_empty") });
  else await writeRows(tx, starting, { ...one, rows, combinations: problem });
  return answerOf(
    row,
    run.jobs.filter((other) => other.key === row.key),
  );
}

function endAll(run: RunRecord, rows: readonly RunJob[], change: JobChange): void {
  for (const row of rows) moveJob(run, row, change);
}

/** True if it must not run after this outcome; then it is skipped. The rest of its conditions is for each combination to meet. */
function isPrevented(
  { run, plan }: Starting,
  { job, start, context }: Expanding,
  rows: readonly RunJob[],
): boolean {
  const stage = plan.plan.stages.find((candidate) => candidate.name === job.stage);
  if (!stage || typeof context === "string") return false;
  const when = job.when.map(({ status, text }) => ({ text, ...(status ? { status } : {}) }));
  const verdict = judgeJob({ stage, job: { ...job, when }, start, context });
  if (verdict.runs) return false;
  for (const row of rows) skipJob(run, row, verdict);
  return true;
}

/** A sentence where there are none because of a mistake. */
function combinationsOf({ job, context }: Expanding, limits: HeldLimits): MatrixValues[] | string {
  const source = job.matrix?.source;
  if (typeof context === "string") return context;
  if (!source) return "The plan of the run has no such matrix.";
  try {
    return expandMatrix(source, contextsOf(context), limits.matrix_combinations);
  } catch (error) {
    const whose =
      error instanceof MatrixProblem && error.isTooLarge ? limitSentence(limits.matrix_combinations) : "";
    if (error instanceof MatrixProblem || error instanceof ExpressionProblem)
      return `The matrix cannot be used: ${error.message}.${whose}`;
    throw error;
  }
}

async function writeRows(
  tx: Transaction,
  { run, plan, webUrl }: Starting,
  {
    row,
    job,
    rows,
    combinations,
  }: Startable & { rows: readonly RunJob[]; combinations: readonly MatrixValues[] },
): Promise<void> {
  const known = new Map(
    rows.flatMap((other) => (other.matrix ? [[combinationKey(other.matrix), other] as const] : [])),
  );
  const placeholders = rows.filter((other) => other.matrix === null);
  const added: RunJob[] = [];
  const place = (values: MatrixValues, combination: number): RunJob => {
    const there = known.get(combinationKey(values)) ?? placeholders.shift();
    if (there) Object.assign(there, { matrix: values, combination, expanded: true });
    return there ?? newRow(row, values, combination);
  };
  const current = combinations.map((values, index) => {
    const placed = place(values, index);
    if (!rows.includes(placed)) added.push(placed);
    return placed;
  });
  const gone = rows.filter((other) => !current.includes(other));
  gone.forEach((other, index) => {
    Object.assign(other, { combination: current.length + index, expanded: true });
    moveJob(run, other, {
      event: "skip",
      reason: "matrix_changed",
      message: reasonSentence("matrix_changed"),
    });
  });
  const pipelineId = run.pipeline.id;
  const rowOf = ({ id, matrix, combination }: RunJob): CombinationRow => ({
    id,
    matrix,
    combination,
    name: nameOfJob(job, matrix, { pipelineId, plan, webUrl }),
  });
  await changeCombinations(tx, pipelineId, rows.map(rowOf));
  await addCombinations(tx, pipelineId, { likeId: row.id, rows: added.map(rowOf) });
  run.jobs.splice(run.jobs.indexOf(row), rows.length, ...current, ...gone);
  const { reason, message } = row;
  for (const one of added) moveJob(run, one, { event: "load", reason, message });
}

function newRow(like: RunJob, matrix: MatrixValues, combination: number): RunJob {
  const { stage_id, key } = like;
  const named = { id: newId("job"), stage_id, key, matrix, combination, expanded: true };
  return {
    ...named,
    status: "created",
    reason: null,
    message: null,
    allowed: false,
    attempts: 0,
    environment: null,
  };
}

/** `rows` are all of the key. */
function answerOf(row: RunJob, rows: readonly RunJob[]): JobStarted {
  const ended = rows.flatMap(({ id, status, reason }) =>
    id !== row.id && (status === "skipped" || status === "error")
      ? [{ jobId: id, status, reason: reason ?? "" }]
      : [],
  );
  const open = rows.flatMap(({ id, matrix, status }) =>
    matrix && !isFinal(status) ? [{ jobId: id, values: matrix }] : [],
  );
  if (open.length > 0)
    return { jobId: row.id, status: "expanded", reason: row.reason, combinations: open, ended };
  return { jobId: row.id, status: row.status === "error" ? "error" : "skipped", reason: row.reason, ended };
}
