/** What the runner keeps on disk of a lease, so that a restarted process continues with it. No secret is in it. */
import { z } from "zod";
import { JobResult, StepResult } from "@forgeline/schemas/runner-protocol/lease.ts";
import { LeaseState } from "@forgeline/schemas/runner-protocol/messages.ts";

/** `JobHandle` of `engine/engine.ts`. */
const Handle = z.object({
  leaseKey: z.string(),
  repositoryId: z.string(),
  jobDir: z.string(),
  containerId: z.string(),
  networkId: z.string().nullable(),
  volume: z.string().nullable(),
});

const ReadPosition = z.object({
  raw: z.number(),
  masked: z.number(),
  line: z.number(),
  column: z.number(),
  covered: z.number(),
});

const BegunStep = z.object({ position: z.number().int(), startedAtMs: z.number() });
export type BegunStep = z.infer<typeof BegunStep>;

const StreamRecord = z.object({
  /** Where the runner's own name of the raw output file is. */
  path: z.string(),
  /** Set once a part of the file was freed; see `LogStreamOptions.resumeHeldAt`. */
  resumeHeldAt: ReadPosition.nullable(),
  /** The server has all of it. */
  delivered: z.boolean(),
});
export type StreamRecord = z.infer<typeof StreamRecord>;

const JobParts = z.object({
  attemptId: z.string(),
  epoch: z.number().int(),
  state: LeaseState,
  startedAtMs: z.number(),
  /** null until the environment is there; from then on it can be taken up again. */
  handle: Handle.nullable(),
  /** The workspace is filled and the services are ready: steps may begin. */
  prepared: z.boolean(),
  steps: z.array(StepResult),
  /** Outputs of ended steps, by step id. */
  stepOutputs: z.record(z.string(), z.record(z.string(), z.string())),
  /** Steps that run, and when each was started. */
  runningSteps: z.array(BegunStep),
  streams: z.record(z.string(), StreamRecord),
  warnings: z.array(z.string()),
  /** Set once the job has failed and its container is kept for a shell: until when, at most. */
  keptUntilMs: z.number().optional(),
  /** Ids of those that the server has completely. */
  artifacts: z.array(z.string()).optional(),
  /** Of each cache of the job its keys, and whether an entry with the very key is there; null where they could not be evaluated. */
  caches: z
    .array(z.object({ key: z.string(), restore: z.array(z.string()), isThere: z.boolean() }).nullable())
    .optional(),
  /** Id of what the job reports, likewise. */
  reports: z.string().optional(),
  /** Set when all steps are over: only logs and this are still to be delivered. */
  result: JobResult.nullable(),
});

/** Before steps could run at the same time there was one, or null, under another name. */
const OlderParts = z.object({ runningStep: BegunStep.nullable() });

function withRunningSteps(read: unknown): unknown {
  const older = OlderParts.safeParse(read);
  if (!older.success) return read;
  const { runningStep } = older.data;
  return { ...(read as object), runningSteps: runningStep ? [runningStep] : [] };
}

export const JobRecord = z.preprocess(withRunningSteps, JobParts);
export type JobRecord = z.infer<typeof JobRecord>;

export const RunnerState = z.object({
  version: z.literal(1),
  /** Stays the same for one home directory: a restarted process replaces its old connection. */
  instanceId: z.string(),
  jobs: z.array(JobRecord),
  /** Workspaces of stages; `isFilled`: a job has come to its first step in it. Runners before had none. */
  workspaces: z.array(z.object({ id: z.string(), isFilled: z.boolean() })).default([]),
});
export type RunnerState = z.infer<typeof RunnerState>;

export function leaseKey(lease: { attemptId: string; epoch: number }): string {
  return `${lease.attemptId}-${lease.epoch}`;
}
