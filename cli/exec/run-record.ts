/**
 * Changes a local run by the server's table of states, and tells each change of a status: of a step or job at once, of stages and
 * the run when `settle` computes them from their parts.
 */
import { isFinal, type Status } from "@forgeline/schemas/pipelines/status.ts";
import type { WatchStatus } from "@forgeline/schemas/logs/watch.ts";
import { aggregate } from "@forgeline/server/domains/pipelines/runs/aggregate.ts";
import { nextJobStatus, type JobEvent } from "@forgeline/server/domains/pipelines/runs/job-states.ts";
import type { Verdict } from "@forgeline/compiler/job-conditions.ts";
import { reasonSentence } from "@forgeline/server/domains/pipelines/runs/reasons.ts";
import type { z } from "zod";
import {
  labelOf,
  type LocalAttempt,
  type LocalJob,
  type LocalNode,
  type LocalRun,
  type LocalStep,
} from "./local-run.ts";

export type StatusChange = Omit<z.infer<typeof WatchStatus>, "t">;

export interface Why {
  reason?: string | null;
  message?: string | null;
  allowed?: boolean;
}

export interface RunRecord {
  run: LocalRun;
  /** False, and nothing is changed, if the event is not possible in the job's state. */
  moveJob(job: LocalJob, event: JobEvent, why?: Why): boolean;
  skipJob(job: LocalJob, verdict: Extract<Verdict, { runs: false }>): void;
  setStep(job: LocalJob, step: LocalStep, change: Partial<LocalStep> & { status: Status }): void;
  /** Stages and the run follow from their parts. */
  settle(): void;
}

export function createRunRecord(run: LocalRun, onStatus: (change: StatusChange) => void): RunRecord {
  const stageReasons = new Map<string, string>();
  const tell = (
    node: StatusChange["node"],
    target: LocalNode,
    more: Omit<StatusChange, keyof LocalNode | "node" | "time">,
  ) => {
    const { id, status, reason, message } = target;
    onStatus({ node, id, ...more, status, reason, message, time: new Date().toISOString() });
  };
  const tellJob = (job: LocalJob) => {
    const named = { name: job.name, job: job.key, job_label: labelOf(job) };
    tell("job", job, { ...named, attempt: job.attempts.length || null });
  };

  function moveJob(
    job: LocalJob,
    event: JobEvent,
    { reason = null, message = null, allowed = false }: Why = {},
  ): boolean {
    const status = nextJobStatus(job.status, event);
    if (status === undefined) return false;
    const isKnown = event !== "queue" && job.status === status && job.reason === reason;
    if (isKnown) return true;
    setStatus(job, { status, reason, message });
    job.allowed = allowed;
    tellJob(job);
    return true;
  }

  function settleStages(): void {
    for (const stage of run.stages) {
      const jobs = run.jobs.filter((job) => job.stage === stage.plan.name && !job.kept);
      if (jobs.length === 0) continue;
      const next = aggregate(jobs.map(({ status, allowed }) => ({ status, allowed, warnings: 0 })));
      stage.warnings = next.warnings;
      if (next.status === stage.status) continue;
      const own =
        isFinal(next.status) && next.status !== "success" ? stageReasons.get(stage.plan.name) : undefined;
      setStatus(stage, {
        status: next.status,
        ...(own === undefined ? inherited(jobs, next.status) : sentence(own)),
      });
      tell("stage", stage, { name: stage.plan.name, job: null, job_label: null, attempt: null });
    }
  }

  return {
    run,
    moveJob,
    skipJob(job, verdict) {
      // `stage_skipped` has no detail; the stage's own reason has.
      const reason = verdict.reason.replace(/^stage_skipped:.*/, "stage_skipped");
      moveJob(job, "skip", { reason, message: reasonSentence(verdict.reason) });
      if (verdict.stageReason !== null) stageReasons.set(job.stage, verdict.stageReason);
    },
    setStep(job, step, change) {
      const isNews = step.status !== change.status;
      Object.assign(step, change);
      const attempt = job.attempts.find(({ steps }) => steps.includes(step))?.attempt ?? null;
      if (isNews) tell("step", step, { name: step.name, job: job.key, job_label: labelOf(job), attempt });
    },
    settle() {
      settleStages();
      const stages = shownStages(run);
      const parts = stages.map(({ status, warnings }) => ({ status, allowed: false, warnings }));
      const next = aggregate(parts);
      run.warnings = next.warnings;
      if (stages.length === 0 || next.status === run.status) return;
      const own = isFinal(next.status) && next.status !== "success" ? run.endReason : null;
      setStatus(run, {
        status: next.status,
        ...(own === null ? inherited(stages, next.status) : sentence(own)),
      });
      tell("pipeline", run, { name: run.plan.name, job: null, job_label: null, attempt: null });
    },
  };
}

/** Those that have something to run. */
export function shownStages({ stages, jobs }: LocalRun): LocalRun["stages"] {
  return stages.filter((stage) => jobs.some((job) => job.stage === stage.plan.name && !job.kept));
}

/** Of the attempt too, which has the same kind of status. */
export function setStatus(
  node: LocalNode | LocalAttempt,
  { status, reason, message }: Pick<LocalNode, "status" | "reason" | "message">,
): void {
  Object.assign(node, { status, reason, message });
  if (status === "running") node.startedAtMs ??= Date.now();
  node.finishedAtMs = isFinal(status) && node.startedAtMs !== null ? Date.now() : null;
}

function sentence(reason: string) {
  return { reason, message: reasonSentence(reason) };
}

/** The reason shown above is that of the first part with the same status. */
function inherited(parts: readonly LocalNode[], status: Status) {
  if (status === "success" || status === "running") return { reason: null, message: null };
  const first = parts.find((node) => node.status === status && node.reason !== null);
  return { reason: first?.reason ?? null, message: first?.message ?? null };
}
