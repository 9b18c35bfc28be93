/**
 * The states of a job in a run (`jobs.status`), as the workflow decides them; those of stages and runs follow from them
 * (`aggregate.ts`). A runner's reports are recorded in its attempt, and only move the job from `queued` to `running`.
 */
import { stateTable, type EventOf } from "@forgeline/schemas/core/state-table.ts";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";

/** Final states of a job that had an attempt; `waiting` is for those that had none. */
const ended = { break: "error", cancel: "cancelled", skip: "skipped", abandon: "error" } as const;
const attempted = {
  queue: "queued",
  retry: "waiting",
  succeed: "success",
  fail: "failed",
  ...ended,
} as const;
const final = { rerun: "created" } as const;

export const jobStates = stateTable({
  initial: "created",
  events: {
    load: "`loadRun`: the workflow of this sequence starts",
    hold: "`settleJobs`: it could start, but has to wait for room (`max_parallel`); or `startJobs`: for a slot of a concurrency group",
    await: "`startJobs`: it could start, but a gate of its stage or its own waits for approval",
    pass: "`startJobs`: its gates have been approved",
    reject:
      "`startJobs`: the approval was rejected, or did not come in time; or a run of a fork was rejected",
    queue: "`startJobs` creates an attempt: the first one, or a retry without delay",
    start: "the runner sends its first `started`; the stage and the run become `running` too",
    follow:
      "the pipeline that the job has started begins to wait for people, time or a slot, waits for something else, or goes on",
    stop: "`requestStop` asks the runner that has the attempt to stop",
    retry: "`settleJobs`: the attempt failed, and the next one starts after a delay",
    succeed: "`settleJobs` or `finishRun`: the attempt succeeded",
    fail: "`settleJobs` or `finishRun`: the attempt failed, or the job exceeded its time limit",
    break:
      "`settleJobs` or `finishRun`: the job could not run properly; or `startJobs` finds that it cannot run at all (`config`)",
    cancel:
      "`settleJobs` or `finishRun`: a user cancelled the run; or it, or in `startJobs` its slot, gave way to a newer run; or it ended before its commit was approved",
    skip: "`settleJobs` or `finishRun`: its stage exceeded its time limit; or `startJobs` finds that its conditions do not hold",
    abandon: "`finishRun` with `internal:<id>`: the run ends because of an internal failure",
    rerun: "a user runs it again, in the next sequence",
  },
  moves: {
    created: { load: "waiting", reject: "failed", cancel: "cancelled", abandon: "error" },
    waiting: { hold: "waiting", await: "awaiting_approval", reject: "failed", queue: "queued", ...ended },
    awaiting_approval: { await: "awaiting_approval", pass: "waiting", reject: "failed", ...ended },
    queued: { start: "running", stop: "cancelling", ...attempted },
    running: { follow: "running", stop: "cancelling", ...attempted },
    cancelling: { stop: "cancelling", ...attempted },
    success: final,
    failed: final,
    error: final,
    cancelled: final,
    skipped: final,
  },
});

export type JobEvent = EventOf<typeof jobStates>;

/** undefined where it is refused. */
export function nextJobStatus(from: Status, event: JobEvent): Status | undefined {
  return jobStates.next(from, event);
}

const settlements: Partial<Record<Status, JobEvent>> = {
  waiting: "retry",
  success: "succeed",
  failed: "fail",
  error: "break",
  cancelled: "cancel",
  skipped: "skip",
};

/** The event for the status that the workflow gives a job; undefined if there is none. */
export function settlementOf(status: Status, reason: string | null): JobEvent | undefined {
  return status === "waiting" && reason !== "retry" ? "hold" : settlements[status];
}
