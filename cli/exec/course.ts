/**
 * The course of a local run: the same loop around the same decisions as the server's workflow (`workflows/definitions/pipeline.ts`),
 * with this process in place of Temporal and the database.
 */
import type { AttemptFact } from "@forgeline/schemas/pipelines/workflow.ts";
import type { JobSettled } from "@forgeline/schemas/pipelines/run-activities.ts";
import { settlementOf } from "@forgeline/server/domains/pipelines/runs/job-states.ts";
import { reasonSentence } from "@forgeline/server/domains/pipelines/runs/reasons.ts";
import { decide, type Decision } from "@forgeline/workflows/definitions/pipeline-plan.ts";
import {
  applyCancel,
  applyFact,
  applyForced,
  applyStarted,
  applyStopped,
  newRunState,
  takeEarly,
  type RunState,
} from "@forgeline/workflows/definitions/run-state.ts";
import type { Attempts } from "./attempts.ts";
import { graphOf } from "./graph.ts";
import type { RunRecord } from "./run-record.ts";
import { startJobs } from "./start-jobs.ts";

export interface Course {
  /** Resolves when the run has its final status. */
  follow(attempts: Attempts): Promise<void>;
  tell(fact: AttemptFact): void;
  /** Twice: with `force`, what runs `always` is not waited for. */
  cancel(request: { reason: string; force: boolean }): void;
}

/** Node fires later timers at once. */
const longestWaitMs = 2 ** 31 - 1;

export function createCourse(record: RunRecord): Course {
  const said: ((state: RunState) => void)[] = [];
  let wake = () => {};

  function say(what: (state: RunState) => void): void {
    said.push(what);
    wake();
  }

  /** Until something is said, or a limit is reached. */
  function quiet(wakeAt: number | null): Promise<void> {
    return new Promise((resolve) => {
      const ms = wakeAt === null ? longestWaitMs : Math.max(1, wakeAt - Date.now());
      const timer = setTimeout(resolve, Math.min(ms, longestWaitMs));
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (said.length > 0) wake();
    });
  }

  return {
    async follow(attempts) {
      for (const job of record.run.jobs) if (!job.kept) record.moveJob(job, "load");
      record.settle();
      const state = newRunState(graphOf(record.run), Date.now());
      for (;;) {
        for (const what of said.splice(0)) what(state);
        const next = decide(state, Date.now());
        if (next.finished) record.run.endReason = state.ending?.reason ?? null;
        settleJobs(record, next.settle);
        const isBusy = carryOut(record, attempts, { state, next });
        record.settle();
        if (next.finished) return;
        if (!isBusy) await quiet(next.wakeAt);
      }
    },
    tell: (fact) => say((state) => applyFact(state, { ...fact, own: true }, Date.now())),
    cancel: (request) => say((state) => applyCancel(state, request, Date.now())),
  };
}

/** True when something was done, so that there may be more to decide. */
function carryOut(
  record: RunRecord,
  attempts: Attempts,
  { state, next }: { state: RunState; next: Decision },
): boolean {
  const { settle, stop, force, start } = next;
  if (stop.length > 0) {
    const answers = stop.map((one) => ({ jobId: one.jobId, result: attempts.stop(one) }));
    applyStopped(state, { asked: stop, answers }, Date.now());
  }
  if (force.length > 0) {
    const answers = force.map((one) => ({ jobId: one.jobId, result: attempts.force(one) }));
    applyForced(state, force, answers);
  }
  if (start.length > 0) {
    applyStarted(state, startJobs(record, start, attempts.begin), Date.now());
    for (const fact of takeEarly(state)) applyFact(state, fact, Date.now());
  }
  return settle.length + stop.length + force.length + start.length > 0;
}

/** Decisions about an older attempt are ignored. */
function settleJobs(record: RunRecord, settled: readonly JobSettled[]): void {
  for (const { jobId, attempt, status, reason, allowed } of settled) {
    const job = record.run.jobs.find((candidate) => candidate.id === jobId);
    const event = settlementOf(status, reason);
    if (!job || !event || job.attempts.length !== attempt) continue;
    const last = job.attempts.at(-1);
    // The engine's sentence is more precise than ours for the same reason.
    const message = last && last.reason === reason ? last.message : reasonSentence(reason);
    record.moveJob(job, event, { reason, message, allowed });
  }
}
