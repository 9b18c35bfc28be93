/**
 * The contract of the workflow that decides one run. Workflow id: `pipeline:<pipe_id>:<sequence>`; a rerun is the
 * next sequence. Only ids and small facts travel; logs and files never enter history.
 */
import { z } from "zod";
import { MatrixValues, PlanNeed, PlanRetry } from "../pipeline-file/plan.ts";
import { Status } from "./status.ts";

export const pipelineWorkflowName = "pipeline";
export const pipelineTaskQueue = "forgeline-pipelines";

export function pipelineWorkflowId(pipelineId: string, sequence: number): string {
  return `pipeline:${pipelineId}:${sequence}`;
}

export const PipelineWorkflowInput = z.object({ pipelineId: z.string(), sequence: z.number().int().min(1) });
export type PipelineWorkflowInput = z.infer<typeof PipelineWorkflowInput>;

/** What the definition needs to know of a run: the graph, limits, and what earlier sequences already decided. */
export const RunGraph = z.object({
  pipelineId: z.string(),
  /** Running time left for the whole run, milliseconds. */
  timeoutMs: z.number(),
  limits: z.object({
    /** Between TERM and KILL on the runner. */
    graceMs: z.number(),
    /** What is added to the grace before an attempt that was told to stop is ended without its runner. */
    marginMs: z.number(),
    /** How long what runs `always` may continue after a cancel. */
    alwaysMs: z.number(),
  }),
  stages: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      needs: z.array(z.string()).nullable(),
      timeoutMs: z.number().nullable(),
      /** Its `when` asks for a status, so it is evaluated only when the stages before it are done. */
      afterOrder: z.boolean(),
    }),
  ),
  jobs: z.array(
    z.object({
      id: z.string(),
      /** The same for all combinations of a matrix. */
      key: z.string(),
      stage: z.string(),
      needs: z.array(PlanNeed).nullable(),
      /** Of a job with a matrix. */
      combination: z
        .object({
          /** null while they are not known. */
          values: MatrixValues.nullable(),
          /** The combinations of this key depend on what the job needs; `startJobs` tells them when the job can start. */
          isOpen: z.boolean(),
          maxParallel: z.number().int().nullable(),
          failFast: z.boolean(),
        })
        .optional(),
      /** It, or its stage, has an approval. */
      gated: z.boolean().optional(),
      retry: PlanRetry,
      rerunIfLost: z.boolean(),
      allowFailure: z.union([z.boolean(), z.array(z.number().int())]),
      timeoutMs: z.number(),
      queueTimeoutMs: z.number(),
      /** Its `when` says `always`: it may run after a cancel. */
      always: z.boolean(),
      /** It has steps that run `always`, so stopping it takes longer. */
      alwaysSteps: z.boolean(),
      /** Attempts made before the current one; the next one is this plus one. */
      attempts: z.number().int(),
      /** Set when this sequence has begun an attempt already, which nobody has settled: by a workflow that was lost. */
      going: z
        .object({
          attempt: z.number().int(),
          started: z.boolean(),
          /** The pipeline that it has started waits for people, time or a slot. */
          childWaits: z.boolean().optional(),
        })
        .optional(),
      /** Set when an earlier sequence decided the job and this one keeps it. */
      kept: z.object({ status: Status, reason: z.string().nullable(), allowed: z.boolean() }).nullable(),
    }),
  ),
});
export type RunGraph = z.infer<typeof RunGraph>;

/** A fact about an attempt, from the runner side; deduplicated by (attemptId, epoch, kind). */
export const AttemptFact = z.object({
  jobId: z.string(),
  attempt: z.number().int(),
  epoch: z.number().int(),
  kind: z.enum(["started", "done", "reclaimed"]),
  status: Status.nullable(),
  reason: z.string().nullable(),
  exitCode: z.number().int().nullable(),
  /** With `reclaimed`: whether the first step had begun (matters for `rerun_if_lost: false`). */
  begun: z.boolean(),
  /** With `done`: it had failed and was kept open for a shell, so that no stop that came later changes its result. */
  decided: z.boolean().optional(),
});
export type AttemptFact = z.infer<typeof AttemptFact>;
export const attemptFactsSignal = "attemptFacts";

export const CancelRequest = z.object({
  /** For example `user:ada`; becomes the reason of what it ends. */
  reason: z.string(),
  force: z.boolean(),
});
export type CancelRequest = z.infer<typeof CancelRequest>;
export const cancelSignal = "cancel";

/** A gate about which people have decided: everything that waits there asks again, so that it does no harm to say this twice. */
export const GateDecided = z.object({
  stage: z.string(),
  /** Key of the job whose gate it is; null: that of the stage. */
  job: z.string().nullable(),
});
export type GateDecided = z.infer<typeof GateDecided>;
export const gateDecidedSignal = "gateDecided";
/** A slot of a concurrency group that a run, stage or job was waiting for is its own now, or it has to give way to a newer one. */
export const SlotChange = z.object({
  node: z.enum(["pipeline", "stage", "job"]),
  nodeId: z.string(),
  /** The reason for which it is cancelled; null: it has the slot. */
  superseded: z.string().nullable(),
});
export type SlotChange = z.infer<typeof SlotChange>;
export const slotChangedSignal = "slotChanged";

/** The pipeline that an attempt has started waits for people, time or a slot, or goes on. Said twice, it does no harm. */
export const ChildWait = z.object({ jobId: z.string(), attempt: z.number().int(), waits: z.boolean() });
export type ChildWait = z.infer<typeof ChildWait>;
export const childWaitSignal = "childWait";
