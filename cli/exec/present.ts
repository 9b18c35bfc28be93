/** A local run in the form in which REST shows runs. */
import { isFinal } from "@forgeline/schemas/pipelines/status.ts";
import type { Pipeline, RunAttempt, RunJob, RunStage } from "@forgeline/schemas/pipelines/resource.ts";
import type { LocalAttempt, LocalJob, LocalNode, LocalRun, LocalStage } from "./local-run.ts";
import { shownStages } from "./run-record.ts";

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

function nodeOf({ id, status, reason, message, startedAtMs, finishedAtMs }: LocalNode) {
  const endMs = finishedAtMs ?? Date.now();
  return {
    id,
    status,
    reason,
    message,
    started_at: iso(startedAtMs),
    finished_at: iso(finishedAtMs),
    duration: startedAtMs === null ? null : Math.max(0, Math.floor((endMs - startedAtMs) / 1000)),
  };
}

export function presentRun(run: LocalRun): Pipeline {
  const { event, plan, createdAtMs } = run;
  const createdAt = new Date(createdAtMs).toISOString();
  return {
    ...nodeOf(run),
    number: 0,
    warnings: run.warnings,
    pipeline: plan.file,
    name: plan.name,
    source: event.name,
    ref: event.ref,
    sha: event.sha,
    merge_request: null,
    commit: { sha: event.sha, message: event.commitMessage, author: event.commitAuthor },
    triggered_by: { type: "user", id: null, username: event.actor },
    schedule: null,
    sequence: 1,
    queued_at: createdAt,
    url: "",
    web_url: "",
    created_at: createdAt,
    updated_at: iso(run.finishedAtMs) ?? createdAt,
    stages: shownStages(run).map((stage) => presentStage(run, stage)),
    error: null,
    variables: Object.keys(event.variables),
    inputs: event.inputs,
    approvals: [],
    fork_approval: null,
    templates: [],
    foreseen: [],
    parent: null,
    children: [],
  };
}

function presentStage(run: LocalRun, stage: LocalStage): RunStage {
  const { name, title } = stage.plan;
  const jobs = run.jobs.filter((job) => job.stage === name && !job.kept);
  return {
    ...nodeOf(stage),
    name,
    title,
    warnings: stage.warnings,
    // All jobs run here.
    placement: null,
    jobs: jobs.map((job) => presentJob(run, job)),
  };
}

function presentJob({ plan, debug }: LocalRun, job: LocalJob): RunJob {
  const { key, name, stage, matrix, allowed, outputs } = job;
  const planned = plan.jobs.find((one) => one.key === key);
  return {
    ...nodeOf(job),
    key,
    name,
    stage,
    matrix,
    allowed_failure: allowed,
    concurrency: null,
    needs: (planned?.needs ?? []).map((need) => need.job),
    outputs,
    outputs_omitted: false,
    network: planned?.network?.allow ?? null,
    privileged: planned?.privileged ?? false,
    // Nobody is there whom a token could mean anything to.
    permissions: [],
    permissions_limit: null,
    keep_open: false,
    debug,
    kept_until: null,
    attempts: job.attempts.map(presentAttempt),
  };
}

function presentAttempt(attempt: LocalAttempt): RunAttempt {
  const { startedAtMs, finishedAtMs, queuedAtMs, status } = attempt;
  const left = startedAtMs ?? (isFinal(status) ? finishedAtMs : null);
  return {
    ...nodeOf(attempt),
    attempt: attempt.attempt,
    exit_code: attempt.exitCode,
    runner: null,
    unreachable: false,
    ends_when_lost: true,
    log_complete: isFinal(status) ? true : null,
    warnings: attempt.warnings,
    warnings_omitted: 0,
    queued_at: new Date(queuedAtMs).toISOString(),
    priority: 0,
    queue: null,
    queue_time: left === null ? null : Math.max(0, Math.floor((left - queuedAtMs) / 1000)),
    steps: attempt.steps.map((step) => ({
      ...nodeOf(step),
      position: step.position,
      name: step.name,
      parallel: step.parallel,
      exit_code: step.exitCode,
    })),
  };
}
