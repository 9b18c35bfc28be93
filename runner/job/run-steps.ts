/**
 * Runs the steps of a prepared job in order, those of a group at the same time. A step is begun when its `when` says so; the
 * first failure that is not allowed decides the job. After a restart of the agent the same loop continues: steps with a
 * result are passed over, and those that had been started are taken up instead of started again.
 */
import {
  type Decision,
  evaluateWhen,
  mayOutliveStop,
  type Outcome as Before,
} from "@forgeline/compiler/when.ts";
import { ExpressionProblem } from "@forgeline/compiler/expression/problem.ts";
import type { PlanStep } from "@forgeline/schemas/pipeline-file/plan.ts";
import { StepResult } from "@forgeline/schemas/runner-protocol/lease.ts";
import { crashPoint } from "../crash-point.ts";
import type { RunningStep } from "../engine/engine.ts";
import type { BegunStep } from "../state/job-record.ts";
import type { PreparedJob } from "./job-context.ts";
import { type Outcome, stepOutcome } from "./outcome.ts";
import { readStepOutputs } from "./read-outputs.ts";
import { readStepReports } from "./read-step-reports.ts";
import { stepCommand } from "./step-command.ts";
import { stepContexts, stepName } from "./step-contexts.ts";
import { watchStep } from "./step-watch.ts";
import { warn } from "./warn.ts";

/** Rejects when the lease is revoked or the engine fails. `resumed` says that steps may have run before. */
export async function runSteps(job: PreparedJob, resumed: boolean): Promise<void> {
  let mayBeRunning = resumed;
  for (const group of groupsOf(job.spec.job.steps)) {
    const open = group.filter(({ position }) => job.record.steps.every((done) => done.position !== position));
    const wasBegun = open.length < group.length || open.some((step) => begunStep(job, step));
    const taken = new Map<PlanStep, RunningStep | null>();
    if (mayBeRunning)
      for (const step of open) taken.set(step, await job.environment.reattachStep(step.position));
    if (!wasBegun && [...taken.values()].every((running) => running === null)) mayBeRunning = false;
    await allDone(open.map((step) => runToEnd(job, step, taken.get(step) ?? null)));
  }
}

/** Each a step by itself, or all that run at the same time. */
function groupsOf(steps: readonly PlanStep[]): PlanStep[][] {
  return [...Map.groupBy(steps, (step) => step.parallel ?? step.position).values()];
}

/** Waits for all, also when one rejects: what the others run would be left without anybody who sees its end. */
async function allDone(running: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(running)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

async function runToEnd(job: PreparedJob, step: PlanStep, taken: RunningStep | null): Promise<void> {
  // Cuts what is longer than a text for people.
  const result = StepResult.parse(await oneStep(job, step, taken));
  const { record } = job;
  record.steps.push(result);
  record.runningSteps = record.runningSteps.filter(({ position }) => position !== step.position);
  if (result.startedAtMs !== null) job.reports.stepEnded(result);
  void job.save().catch(() => undefined);
}

function begunStep({ record }: PreparedJob, step: PlanStep): BegunStep | undefined {
  return record.runningSteps.find(({ position }) => position === step.position);
}

/** The first step in the order of the file that decides the job against success; of those `before` a position only. */
export function decidingStep(
  job: Pick<PreparedJob, "record" | "spec">,
  before: number = Infinity,
): StepResult | null {
  const failed = job.record.steps.filter(({ position, status }) => {
    const isAllowed = job.spec.job.steps[position]?.allowFailure;
    return position < before && ((status === "failed" && !isAllowed) || status === "error");
  });
  return failed.toSorted((a, b) => a.position - b.position)[0] ?? null;
}

async function oneStep(job: PreparedJob, step: PlanStep, taken: RunningStep | null): Promise<StepResult> {
  try {
    if (taken === null) {
      const decision = decide(job, step);
      if (!decision.run) return skippedResult(job, step, decision.reason);
    }
    return await execute(job, step, taken);
  } catch (error) {
    if (!(error instanceof ExpressionProblem)) throw error;
    const outcome: Outcome = { status: "error", reason: "config", message: error.message, exitCode: null };
    return { position: step.position, ...outcome, startedAtMs: null, finishedAtMs: null };
  }
}

function decide(job: PreparedJob, step: PlanStep): Decision {
  if (job.stop.forced.aborted) return { run: false, reason: job.stop.request?.reason ?? "revoked" };
  const facts = {
    event: job.spec.event,
    contexts: stepContexts(job, step),
    outcome: outcomeBefore(job, step),
  };
  return evaluateWhen(step.when, facts);
}

function outcomeBefore(job: PreparedJob, step: PlanStep): Before {
  const stopped = job.stop.request;
  if (stopped) return stopped.status === "cancelled" ? "cancelled" : "failure";
  return decidingStep(job, step.parallel ?? step.position) ? "failure" : "success";
}

/** As `CI_JOB_STATUS` says it. */
function statusBefore(job: PreparedJob, step: PlanStep): string {
  const outcome = outcomeBefore(job, step);
  return outcome === "failure" ? "failed" : outcome;
}

function skippedResult(job: PreparedJob, step: PlanStep, reason: string): StepResult {
  const stream = job.logs.stream("step", step.position);
  // What cannot be ended now is ended with the job.
  if (stream) void job.logs.endEmpty(stream).catch(() => undefined);
  const stopped = job.stop.request;
  const cancelled = stopped?.status === "cancelled";
  return {
    position: step.position,
    status: cancelled ? "cancelled" : "skipped",
    reason: cancelled ? stopped.reason : reason,
    message: cancelled ? stopped.message : "The step was not run because its condition did not hold.",
    exitCode: null,
    startedAtMs: null,
    finishedAtMs: null,
  };
}

async function execute(job: PreparedJob, step: PlanStep, taken: RunningStep | null): Promise<StepResult> {
  // Looked at before it starts, which takes a while; one that is taken up again began before any stop that is known here.
  const begunAfterStop = taken === null && job.stop.request !== null;
  const startedAtMs = begunStep(job, step)?.startedAtMs ?? Date.now();
  const running = taken ?? (await start(job, step, startedAtMs));
  const stream = job.logs.stream("step", step.position);
  if (stream) await job.logs.open(stream, running.outputFile);
  const stepEnd = await watchStep(
    running,
    {
      timeoutMs: step.timeoutMs,
      idleTimeoutMs: step.idleTimeoutMs ?? job.spec.job.idleTimeoutMs,
      elapsedMs: taken ? Math.max(0, Date.now() - startedAtMs) : 0,
      outlivesStop: begunAfterStop || mayOutliveStop(step.when),
    },
    job.stop,
  );
  crashPoint("step.exited-before-reported");
  await job.logs.end(stream);
  await readStepOutputs(job, step, running);
  await readStepReports(job, step.position, running);
  const outcome = stepOutcome(stepEnd, job.stop.request);
  const { exit } = stepEnd;
  if (outcome.status === "success" && exit.kind === "exited" && exit.note)
    warn(job.record, `Step ${step.position + 1} succeeded, but: ${exit.note}`);
  if (outcome.status === "failed" && step.allowFailure)
    warn(
      job.record,
      `Step ${step.position + 1} "${stepName(job, step)}" failed, which is allowed: ${outcome.message}`,
    );
  return {
    position: step.position,
    ...outcome,
    startedAtMs,
    finishedAtMs: Math.max(startedAtMs, Date.now()),
  };
}

async function start(job: PreparedJob, step: PlanStep, timeMs: number): Promise<RunningStep> {
  const contexts = stepContexts(job, step);
  const name = stepName(job, step);
  const command = stepCommand({ ...job, status: statusBefore(job, step) }, step, contexts);
  if (!begunStep(job, step)) job.record.runningSteps.push({ position: step.position, startedAtMs: timeMs });
  await job.save();
  crashPoint("step.recorded-before-started");
  const running = await job.environment.runStep(command, job.stop.forced);
  if (running.planted.length > 0) {
    const files = running.planted.join(", ");
    warn(
      job.record,
      `Before step ${step.position + 1} started, something in the job had already created its files (${files}); they were moved aside.`,
    );
  }
  crashPoint("step.started-before-reported");
  job.reports.stepStarted({ position: step.position, name, timeMs });
  return running;
}
