/** Types of leases. */
import type { AttemptState } from "../runs/attempt-states.ts";
import type { LeaseMaterial } from "./lease-spec.ts";

export interface LeaseName {
  attemptId: string;
  epoch: number;
}

export interface StoredLease extends LeaseMaterial {
  startedAt: Date | null;
  cancel: CancelColumn | null;
}

/** What `job_attempts.cancel` holds; written by the workflow's stop or by the sweeper. */
export interface CancelColumn {
  reason: string;
  message: string | null;
  status: "cancelled" | "failed" | "error";
  force: boolean;
  graceMs?: number;
}

export interface HeartbeatFacts {
  runnerId: string;
  instanceId: string;
  /** Null where unknown: the last value stays. */
  load: number | null;
  freeDiskBytes: number | null;
  leases: readonly LeaseName[];
}

export interface Renewal extends LeaseName {
  pipelineId: string;
  /** It was shown as unreachable until now. */
  wasUnreachable: boolean;
  cancel: CancelColumn | null;
}

export interface LeaseState {
  runnerId: string | null;
  epoch: number;
  state: AttemptState;
  status: string;
  repositoryId: string;
  pipelineId: string;
  cancel: CancelColumn | null;
  /** Its container is kept for a shell if it fails. */
  keepOpen: boolean | null;
}
