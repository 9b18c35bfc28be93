/** What a runner is given with a lease, and what it says when the job is done. */
import { z } from "zod";
import { maxArtifacts } from "../artifacts/limits.ts";
import { MatrixValues, PlanJob } from "../pipeline-file/plan.ts";
import { PipelineEvent } from "../pipeline-file/event.ts";
import { SignedJob } from "./signed-job.ts";
import { leaseSecretFields } from "./lease-secrets.ts";
import {
  clockMs,
  longText,
  maxSteps,
  shortText,
  recordOf,
  smallInteger,
  stepPosition,
} from "./field-limits.ts";

/** People read no more; what else a job has to say is in its log. */
export const maxWarnings = 500;

/** Runners name files and directories by it. */
const fileName = z.string().regex(/^\w[\w.-]{0,63}$/);

/** Where one log stream goes: `channel` is used in binary frames of this lease on this connection. */
export const LeaseStream = z.object({
  id: fileName,
  channel: z.number().int().min(1),
  kind: z.enum(["setup", "step", "service"]),
  /** Position of the step; null for the other kinds. */
  step: z.number().int().nullable(),
  /** Key of the service; null for the other kinds. */
  service: z.string().nullable(),
  /** Where the server's durable copy ends: send from here. */
  nextOffset: z.number().int().min(0),
});
export type LeaseStream = z.infer<typeof LeaseStream>;

/** What a job sees of one that it needs. */
export const NeededJob = z.object({
  result: z.string(),
  /** Of a job with a matrix: lists with one text for each combination, in the order of the matrix. */
  outputs: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
});
export type NeededJob = z.infer<typeof NeededJob>;

export const LeaseSpec = z.object({
  attemptId: fileName,
  epoch: z.number().int().min(1),
  jobId: z.string(),
  pipelineId: z.string(),
  pipelineNumber: z.number().int(),
  repositoryId: z.string(),
  attempt: z.number().int().min(1),
  /** The job with job-level templates already evaluated; steps' templates are evaluated by the runner. */
  job: PlanJob,
  /** Top-level `env` of the file, evaluated. */
  env: z.record(z.string(), z.string()),
  event: PipelineEvent,
  /** Outputs of the jobs that this one needs. */
  needs: z.record(z.string(), NeededJob),
  /** Values of this combination; null for a job without a matrix. */
  matrix: MatrixValues.nullable().default(null),
  /** Its run, stage or itself holds a slot of a concurrency group: it must have ended before its lease is given away. */
  holdsSlot: z.boolean().default(false),
  /** For how long its container is kept for a shell if it fails; null: not at all. */
  keepOpenMs: z.number().int().min(1).nullable().default(null),
  /** Its shells say each command before they run it, and the set-up log says more. */
  debug: z.boolean().default(false),
  /** The workspace of its stage, which it works in; null: it has its own. `isNew`: nothing has been done in it yet. */
  sharedWorkspace: z.object({ id: z.string(), isNew: z.boolean() }).nullable().default(null),
  pipelineName: z.string(),
  /** `CI_*` that only the server knows: addresses, numbers, names. */
  ciEnv: z.record(z.string(), z.string()),
  clone: z.object({ url: z.string(), ref: z.string(), sha: z.string() }),
  /** The job's own token, `svc_job_…`; masked in logs; ends with the job. */
  token: z.string(),
  ...leaseSecretFields,
  /** Absent: there is no key that signs jobs of its repository. */
  signed: SignedJob.optional(),
  streams: z.array(LeaseStream),
  limits: z.object({
    lineBytes: z.number().int(),
    stepLogBytes: z.number().int(),
    headBytes: z.number().int(),
    tailBytes: z.number().int(),
    outputBytes: z.number().int(),
  }),
});
export type LeaseSpec = z.infer<typeof LeaseSpec>;

export const StepResult = z.object({
  position: stepPosition,
  status: z.enum(["success", "failed", "error", "cancelled", "skipped"]),
  reason: shortText.nullable(),
  message: longText.nullable(),
  exitCode: smallInteger.nullable(),
  startedAtMs: clockMs.nullable(),
  finishedAtMs: clockMs.nullable(),
});
export type StepResult = z.infer<typeof StepResult>;

export const JobResult = z.object({
  status: z.enum(["success", "failed", "error", "cancelled"]),
  /** One of the reasons of `pipelines.md` section 5; null for success. */
  reason: shortText.nullable(),
  /** A sentence for people; null for success. */
  message: longText.nullable(),
  exitCode: smallInteger.nullable(),
  outputs: recordOf(z.string()),
  steps: z.array(StepResult).max(maxSteps),
  /** Notes worth showing although the job did not fail through them. */
  warnings: z.array(longText).overwrite((notes) => notes.slice(0, maxWarnings)),
  /** Ids of artifacts that are complete: they are shown from now on. Absent: none. */
  artifacts: z.array(z.string().max(64)).max(maxArtifacts).optional(),
  /** Id of what the job reports, likewise (`schemas/reports/manifest.ts`). */
  reports: z.string().max(64).optional(),
});
export type JobResult = z.infer<typeof JobResult>;
