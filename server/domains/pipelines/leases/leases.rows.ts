/** Made by `node scripts/generate-rows.ts` from the statements of leases.store.ts; do not edit. */
import type { CancelColumn } from "./leases.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { SignedJob } from "@forgeline/schemas/runner-protocol/signed-job.ts";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";

export interface LeasesRows {
  takeLease: {
    attemptId: string;
    epoch: number;
    tokenHash: Buffer | null;
    attempt: number;
    job: PlanJob;
    jobId: string;
    stageName: string;
    pipelineId: string;
    pipelineNumber: number;
    pipelineName: string;
    pipelineSequence: number;
    event: PipelineEvent;
    ref: string;
    sha: string;
    env: unknown;
    repositoryId: string;
    repository: string;
    defaultBranch: string;
    owner: string;
    matrix: Record<string, string> | null;
    keepOpen: boolean;
    debug: boolean;
    placementId: string | null;
    isNewWorkspace: boolean;
    stepLogMib: number | null;
    signed: {
      payload: string;
      signatures: SignedJob["signatures"];
    } | null;
    holdsSlot: boolean;
    needed: {
      key: string;
      combination: number;
      matrix: Record<string, string> | null;
      expanded: boolean;
      status: Status;
      outputs: Record<string, string>;
    }[];
  };
  findRunBehind: {
    trust: "fork" | "own" | "unknown_author";
    hasPerson: boolean;
    permissionsMax: "read" | "write";
  };
  setTokenScopes: never;
  findLeases: {
    attemptId: string;
    epoch: number;
    tokenHash: Buffer | null;
    attempt: number;
    job: PlanJob;
    jobId: string;
    stageName: string;
    pipelineId: string;
    pipelineNumber: number;
    pipelineName: string;
    pipelineSequence: number;
    event: PipelineEvent;
    ref: string;
    sha: string;
    env: unknown;
    repositoryId: string;
    repository: string;
    defaultBranch: string;
    owner: string;
    matrix: Record<string, string> | null;
    keepOpen: boolean;
    debug: boolean;
    placementId: string | null;
    isNewWorkspace: boolean;
    stepLogMib: number | null;
    signed: {
      payload: string;
      signatures: SignedJob["signatures"];
    } | null;
    holdsSlot: boolean;
    needed: {
      key: string;
      combination: number;
      matrix: Record<string, string> | null;
      expanded: boolean;
      status: Status;
      outputs: Record<string, string>;
    }[];
    startedAt: Date | null;
    cancel: CancelColumn | null;
  };
  findMaterial: {
    attemptId: string;
    epoch: number;
    tokenHash: Buffer | null;
    attempt: number;
    job: PlanJob;
    jobId: string;
    stageName: string;
    pipelineId: string;
    pipelineNumber: number;
    pipelineName: string;
    pipelineSequence: number;
    event: PipelineEvent;
    ref: string;
    sha: string;
    env: unknown;
    repositoryId: string;
    repository: string;
    defaultBranch: string;
    owner: string;
    matrix: Record<string, string> | null;
    keepOpen: boolean;
    debug: boolean;
    placementId: string | null;
    isNewWorkspace: boolean;
    stepLogMib: number | null;
    signed: {
      payload: string;
      signatures: SignedJob["signatures"];
    } | null;
    holdsSlot: boolean;
    needed: {
      key: string;
      combination: number;
      matrix: Record<string, string> | null;
      expanded: boolean;
      status: Status;
      outputs: Record<string, string>;
    }[];
  };
  renewLeases: {
    current: boolean;
    renewed: {
      attemptId: string;
      epoch: number;
      pipelineId: string;
      cancel: CancelColumn | null;
      wasUnreachable: boolean;
    }[];
  };
  findLeaseState: {
    runnerId: string | null;
    epoch: number;
    state: "delegated" | "ended" | "following" | "leased" | "offered" | "queued";
    status: Status;
    repositoryId: string;
    pipelineId: string;
    cancel: CancelColumn | null;
    keepOpen: boolean | null;
  };
  findCancelled: {
    attemptId: string;
    epoch: number;
    runnerId: string;
    cancel: CancelColumn;
  };
  hasLeaseFrom: {
    isThere: boolean;
  };
  isHeld: never;
  awaitLogs: {
    overdue: boolean | null;
  };
}
