/** What the workflow asks of the server while it decides a run; each may run twice and then changes nothing. */
import { z } from "zod";
import { MatrixValues } from "../pipeline-file/plan.ts";
import { Status } from "./status.ts";

const run = { pipelineId: z.string(), sequence: z.number().int() };
export const Outcome = z.enum(["success", "failure", "cancelled"]);
export type Outcome = z.infer<typeof Outcome>;

export const LoadRun = z.object(run);
export type LoadRun = z.infer<typeof LoadRun>;

export const JobStart = z.object({
  jobId: z.string(),
  attempt: z.number().int(),
  /** A further try: its conditions were met before and are not evaluated again. */
  retry: z.boolean(),
  /** Only to learn the combinations of its matrix. */
  expand: z.boolean().optional(),
  /** Only to learn whether its gates let it pass; those that it reaches are opened. */
  ask: z.boolean().optional(),
  /** Of what the job depends on, and of what its stage depends on; `when` sees it. */
  outcome: Outcome,
  stageOutcome: Outcome,
  /** Why the job must not run unless its `when` asks for this outcome. */
  blocked: z
    .object({ reason: z.enum(["need_failed", "need_skipped", "stage_skipped"]), by: z.string() })
    .nullable(),
});
export type JobStart = z.infer<typeof JobStart>;
/**
 * `waiting`: it needs a slot of a concurrency group; the workflow is told when it has it. `queued`: there is an attempt now. `expanded`: the
 * combinations of its matrix are known now, and each can be started. `awaiting_approval`: a gate is closed to it. `passed`: no gate is,
 * and it can be started. Else the final status that the job got.
 */
export const JobStarted = z.object({
  jobId: z.string(),
  status: z.enum([
    "waiting",
    "queued",
    "expanded",
    "awaiting_approval",
    "passed",
    "skipped",
    "error",
    "failed",
    "cancelled",
  ]),
  reason: z.string().nullable(),
  /** With `awaiting_approval`: milliseconds until the gate has to be looked at again although nobody has decided. */
  waitMs: z.number().optional(),
  /** With `expanded`: in their order; the job itself may be one of them. */
  combinations: z.array(z.object({ jobId: z.string(), values: MatrixValues })).optional(),
  /** Other jobs of the same matrix that have ended with this. */
  ended: z
    .array(z.object({ jobId: z.string(), status: z.enum(["skipped", "error"]), reason: z.string() }))
    .optional(),
});
export type JobStarted = z.infer<typeof JobStarted>;

export const JobSettled = z.object({
  jobId: z.string(),
  /** The latest attempt that the decision knew; 0 when there was none. */
  attempt: z.number().int(),
  /** A final status, or `waiting`: before a further try (`retry`), or for room (`max_parallel`). */
  status: Status,
  reason: z.string().nullable(),
  allowed: z.boolean(),
});
export type JobSettled = z.infer<typeof JobSettled>;
/** `settled` is written first, in the same transaction: the end of one job and the start of the next are one change. */
export const StartJobs = z.object({ ...run, settled: z.array(JobSettled), jobs: z.array(JobStart) });
export type StartJobs = z.infer<typeof StartJobs>;
export const SettleJobs = z.object({ ...run, jobs: z.array(JobSettled) });
export type SettleJobs = z.infer<typeof SettleJobs>;

export const JobStop = z.object({
  jobId: z.string(),
  attempt: z.number().int(),
  status: z.enum(["cancelled", "failed", "error"]),
  reason: z.string(),
  /** Skip the steps that run `always`. */
  force: z.boolean(),
  /** Only if no runner has it yet. */
  queuedOnly: z.boolean(),
});
export type JobStop = z.infer<typeof JobStop>;
export const RequestStop = z.object({ ...run, jobs: z.array(JobStop) });
export type RequestStop = z.infer<typeof RequestStop>;
/** `ended`: now; `stopping`: the runner is told; `left`: a runner has it, and `queuedOnly` was asked; `over`: ended before. */
export const JobStopped = z.object({
  jobId: z.string(),
  result: z.enum(["ended", "stopping", "left", "over"]),
});
export type JobStopped = z.infer<typeof JobStopped>;

export const ForceEnd = RequestStop;
export type ForceEnd = z.infer<typeof ForceEnd>;

export const FinishRun = z.object({
  ...run,
  jobs: z.array(JobSettled),
  /** Set when the run's own limit or a fault ended it; else the reason is that of its parts. */
  reason: z.string().nullable(),
});
export type FinishRun = z.infer<typeof FinishRun>;
