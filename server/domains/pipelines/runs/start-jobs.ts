/** Creates attempts of jobs that can start, or skips them with a reason. */
import { renderJob, type RenderedJob } from "@forgeline/compiler/render-job.ts";
import { isFinal } from "@forgeline/schemas/pipelines/status.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { JobStarted } from "@forgeline/schemas/pipelines/run-activities.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import { newId } from "../../../platform/ids.ts";
import { storableText } from "../../../platform/storable-text.ts";
import { knownStepNames } from "@forgeline/compiler/step-names.ts";
import { judgeJob } from "@forgeline/compiler/job-conditions.ts";
import { createGates, type Gates } from "../approvals/ask-gates.ts";
import { createDeploying, type Deploying } from "../environments/deploying.ts";
import { placeOf } from "../environments/job-place.ts";
import { placeJob, type Placed } from "../placements/place-job.ts";
import { delegateAttempts, markSigned } from "./attempts.store.ts";
import { addChildIntent } from "./child-intents.ts";
import { nextJobStatus } from "./job-states.ts";
import { createJobSlots, expectOpenSlots, type JobSlots } from "./job-slots.ts";
import { createLabelSetLimit, type LabelSetLimit } from "./label-set-limit.ts";
import { neededOutputs, type NeededOutputs } from "./needed-outputs.ts";
import { contextsOf, topEnvironment } from "@forgeline/compiler/plan-language.ts";
import { refusalOfPrivileged } from "../privileges/judge-job.ts";
import { neededLabels } from "../runners/labels.ts";
import { refusalOfSecrets } from "../secrets/job-secrets.ts";
import { expandJob } from "./expand-matrix.ts";
import { priorityOf } from "./priority.ts";
import { settleRows } from "./settle-jobs.ts";
import { skipJob } from "./skip-job.ts";
import { startContext, type Startable, type Starting } from "./start-context.ts";
import { moveJob, saveRun, type NewAttempt, type RunJob, type RunRecord } from "./run-record.ts";
import { runAddress } from "./run-address.ts";

export async function startJobs(tx: Transaction, starting: Starting): Promise<JobStarted[]> {
  const { run } = starting;
  await settleRows(tx, run, starting.settled);
  const chosen = starting.starts.flatMap((start) => {
    const row = run.jobs.find((job) => job.id === start.jobId);
    const job = starting.plan.plan.jobs.find((candidate) => candidate.key === row?.key);
    return row && job ? [{ row, job, start }] : [];
  });
  const needed = await neededOutputs(
    tx,
    run,
    chosen.map(({ job }) => job),
  );
  const labelRoom = createLabelSetLimit(tx, run.pipeline.repository_id);
  const slots = await createJobSlots(tx, starting, chosen);
  const gates = gatesOf(tx, starting);
  const { id: pipelineId, repository_id: repositoryId } = run.pipeline;
  const deploying = createDeploying(tx, { pipelineId, repositoryId });
  const started: JobStarted[] = [];
  for (const one of chosen) {
    const given = { ...one, needed, labelRoom, gates, slots, deploying };
    started.push(await (one.start.expand ? expand(tx, starting, given) : startJob(tx, starting, given)));
  }
  if (started.some(({ status }) => status === "expanded" || status === "passed"))
    await expectOpenSlots(tx, run, starting.plan);
  if (run.changedJobs.size > 0 || chosen.some(({ start }) => start.expand)) await saveRun(tx, run);
  await gates.save();
  await deploying.save();
  const forRunners = await delegate(tx, run);
  if (forRunners.length > 0) await announceAttempts(tx, starting, forRunners);
  return started;
}

/** Attempts of jobs that start pipelines are for no runner. The ids of the others. */
async function delegate(tx: Transaction, run: RunRecord): Promise<string[]> {
  const ids = run.newAttempts.filter(({ job }) => job.trigger).map(({ id }) => id);
  await delegateAttempts(tx, ids);
  for (const attemptId of ids)
    await addChildIntent(tx, { kind: "start_child", attemptId, group: run.pipeline.repository_id });
  return run.newAttempts.filter(({ job }) => !job.trigger).map(({ id }) => id);
}

/** Their rows are there: what is signed is what a lease will read. */
async function announceAttempts(
  tx: Transaction,
  { run, signJobs }: Starting,
  attemptIds: string[],
): Promise<void> {
  const repositoryId = run.pipeline.repository_id;
  const privileged = run.newAttempts.filter(({ job }) => job.privileged);
  if (privileged.length > 0) tx.count("forgeline_privileged_jobs_total", {}, privileged.length);
  if (await signJobs(tx, { repositoryId, attemptIds })) await markSigned(tx, attemptIds);
  await tx.notify("queue", repositoryId);
}

interface One extends Startable {
  needed: NeededOutputs;
  labelRoom: LabelSetLimit;
  gates: Gates;
  slots: JobSlots;
  deploying: Deploying;
}

function gatesOf(tx: Transaction, { run, plan, webUrl, mail }: Starting): Gates {
  const { owner, name } = plan.event.repository;
  const address = runAddress(webUrl, `${owner}/${name}`, plan.number);
  return createGates(tx, {
    run,
    event: plan.event,
    name: `${owner}/${name}#${plan.number}`,
    webUrl: address,
    mail,
  });
}

async function expand(tx: Transaction, starting: Starting, one: One): Promise<JobStarted> {
  const outputs = await one.needed.of(one.job);
  const context =
    typeof outputs === "string" ? outputs : { ...startContext(starting, one, outputs), matrix: null };
  return expandJob(tx, starting, { ...one, context });
}

/** What the workflow is told again of a job that has ended before it could start. */
const ends: Partial<Record<RunJob["status"], JobStarted["status"]>> = {
  error: "error",
  failed: "failed",
  cancelled: "cancelled",
};

async function startJob(tx: Transaction, starting: Starting, one: One): Promise<JobStarted> {
  const { run, plan } = starting;
  const { row, job, start } = one;
  const answer = (status: JobStarted["status"], reason: string | null = null) => ({
    jobId: row.id,
    status,
    reason,
  });
  if (row.attempts >= start.attempt) return answer("queued");
  if (isFinal(row.status)) return answer(ends[row.status] ?? "skipped", row.reason);
  if (!nextJobStatus(row.status, start.ask ? "await" : "queue"))
    throw new AppError("conflict", { message: `job ${row.id} is ${row.status} and cannot be started` });
  const fail = (message: string) => {
    moveJob(run, row, { event: "break", reason: "config", message });
    return answer("error", "config");
  };
  const outputs = await one.needed.of(job);
  if (typeof outputs === "string") return fail(outputs);
  const place = placeOf(startContext(starting, one, outputs), job);
  row.environment = place.environment;
  const { context } = place;
  const stage = plan.plan.stages.find((candidate) => candidate.name === job.stage);
  let rendered: RenderedJob;
  let stepNames: string[];
  try {
    const verdict = start.retry || !stage ? null : judgeJob({ stage, job, start, context });
    if (verdict && !verdict.runs) {
      skipJob(run, row, verdict);
      return answer("skipped", verdict.reason);
    }
    if (place.problem !== null) return fail(place.problem);
    if (start.ask) return await one.gates.ask(row, { job, stage, environment: place.environment });
    // An attempt is one combination; all of them in each of 256 attempts would be megabytes.
    rendered = { ...renderJob(job, contextsOf(context)), matrix: null };
    stepNames = knownStepNames(job, contextsOf(context));
    // Evaluated again for the lease; errors must show here.
    topEnvironment(plan.plan.env, context.event, context.pipeline);
  } catch (error) {
    return fail(storableText((error as Error).message));
  }
  return queueJob(tx, starting, { ...one, rendered, stepNames });
}

interface Ready extends One {
  rendered: RenderedJob;
  /** As far as they are known. */
  stepNames: string[];
}

/** Its conditions hold; what is left is whether it may have what it asks for. */
async function queueJob(
  tx: Transaction,
  { run, plan, maxPriority }: Starting,
  { row, job, start, labelRoom, slots, gates, deploying, rendered, stepNames }: Ready,
): Promise<JobStarted> {
  const fail = (reason: string, message: string): JobStarted => {
    moveJob(run, row, { event: "break", reason, message });
    return { jobId: row.id, status: "error", reason };
  };
  const missing = await refusalOfSecrets(tx, {
    pipelineId: run.pipeline.id,
    stage: job.stage,
    job: rendered,
  });
  if (missing) return fail(missing.reason, missing.message);
  const refused = await refusalOfPrivileged(tx, { pipelineId: run.pipeline.id, job: rendered });
  if (refused) return fail(refused.reason, refused.message);
  const barred = await gates.barred(row, rendered);
  if (barred) return barred;
  const slot = await slots.take(row);
  if (slot.kind === "refused") return fail(slot.reason, slot.message);
  if (slot.kind !== "held") return { jobId: row.id, status: slot.kind, reason: slot.reason };
  if (rendered.trigger) {
    const placed: Placed = { kind: "anywhere" };
    queue(run, row, { attempt: start.attempt, labels: [], priority: 0, placed, job: rendered, stepNames });
    return { jobId: row.id, status: "queued", reason: null };
  }
  const labels = neededLabels(rendered);
  const refusal = await labelRoom.take(labels);
  if (refusal !== null) return fail("config", refusal);
  const placed = await placeJob(tx, { run, plan }, { row, job });
  if (placed.kind === "refused") return fail("runner_lost", placed.message);
  const full = await deploying.enter(rendered);
  if (full !== null) return fail("config", full);
  const priority = priorityOf(rendered.priority, { event: plan.event.name, max: maxPriority });
  const id = queue(run, row, { attempt: start.attempt, labels, priority, placed, job: rendered, stepNames });
  deploying.add(rendered, { id, jobId: row.id });
  return { jobId: row.id, status: "queued", reason: null };
}

function queue(
  run: RunRecord,
  row: RunJob,
  one: Pick<NewAttempt, "attempt" | "labels" | "priority"> & {
    placed: Placed;
    job: PlanJob;
    stepNames: readonly string[];
  },
): string {
  const { attempt, priority, placed, job, stepNames } = one;
  const isPlaced = placed.kind === "placed";
  const labels = isPlaced ? [...one.labels, placed.label].sort() : one.labels;
  const id = newId("att");
  row.attempts = attempt;
  moveJob(run, row, { event: "queue" });
  run.transitions.push({
    node: "attempt",
    id,
    attempt,
    old: null,
    new: "queued",
    reason: null,
    message: null,
  });
  run.newAttempts.push({
    id,
    job_id: row.id,
    attempt,
    labels,
    placement_id: isPlaced ? placed.placementId : null,
    priority,
    job,
  });
  for (const [index, step] of job.steps.entries()) {
    run.newSteps.push({
      id: newId("step"),
      attempt_id: id,
      position: step.position,
      name: stepNames[index] ?? step.name,
      timeout_ms: step.timeoutMs,
      idle_timeout_ms: step.idleTimeoutMs ?? job.idleTimeoutMs,
      parallel_group: step.parallel,
    });
  }
  return id;
}
