/**
 * The states of a job in a run (`jobs.status`), as the workflow decides them; those of stages and runs follow from them
 * (`aggregate.ts`). A runner's word is recorded in its attempt, and moves the job from `queued` to `running` alone.
 */
import { stateTable, type EventOf } from "@forgeline/schemas/core/state-table.ts";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";

/** Ends that may come of an attempt that there was; `waiting` is for those that had none. */
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
    load: "`loadRun`: the workflow of this sequence begins",
    queue: "`startJobs`: an attempt is made; also a further one, at once after the one before",
    start: "the runner's first `started`; stage and run with it",
    stop: "`requestStop`, where a runner has the attempt: it is asked",
    retry: "`settleJobs`: the attempt has failed, and the next one comes after a delay",
    succeed: "`settleJobs` or `finishRun`: the attempt succeeded",
    fail: "the same: it failed, or the job ran out of time",
    break: "the same: it could not run as it should; or `startJobs` finds it impossible (`config`)",
    cancel: "the same: somebody cancelled",
    skip: "the same: its stage ran out of time; or `startJobs` finds that its conditions do not hold",
    abandon: "`finishRun` with `internal:<id>`: the run ends by a failure of ours",
    rerun: "somebody runs it again, in the next sequence",
  },
  moves: {
    created: { load: "waiting", abandon: "error" },
    waiting: { queue: "queued", ...ended },
    queued: { start: "running", stop: "cancelling", ...attempted },
    running: { stop: "cancelling", ...attempted },
    cancelling: { stop: "cancelling", ...attempted },
    success: final,
    failed: final,
    error: final,
    cancelled: final,
    skipped: final,
  },
});

export type JobEvent = EventOf<typeof jobStates>;

/** undefined where it is refused. No job awaits an approval: there is no way into that status yet. */
export function nextJobStatus(from: Status, event: JobEvent): Status | undefined {
  return from === "awaiting_approval" ? undefined : jobStates.next(from, event);
}

const settlements: Partial<Record<Status, JobEvent>> = {
  waiting: "retry",
  success: "succeed",
  failed: "fail",
  error: "break",
  cancelled: "cancel",
  skipped: "skip",
};

/** What the workflow settles a job as, as an event; undefined for what is no settlement. */
export function settlementOf(status: Status): JobEvent | undefined {
  return settlements[status];
}
