/** Made by `node scripts/generate-rows.ts` from the statements of attempts.store.ts; do not edit. */
import type { Status } from "@forgeline/schemas/pipelines/status.ts";

export interface AttemptsRows {
  runOfAttempt: {
    pipeline_id: string;
  };
  lockAttempt: {
    id: string;
    job_id: string;
    attempt: number;
    epoch: number;
    state: "delegated" | "ended" | "following" | "leased" | "offered" | "queued";
    status: Status;
    reason: string | null;
    begun: boolean;
    kept: boolean;
    deployingSeconds: number | null;
  };
  lockAttemptsOfJobs: {
    id: string;
    job_id: string;
    attempt: number;
    epoch: number;
    state: "delegated" | "ended" | "following" | "leased" | "offered" | "queued";
    status: Status;
    reason: string | null;
    begun: boolean;
    kept: boolean;
    deployingSeconds: number | null;
  };
  lockHeldAttempt: {
    id: string;
    attempt: number;
    unreachable: boolean;
  };
  startAttempt: never;
  endAttempt: never;
  delegateAttempts: never;
  markSigned: never;
  followAttempt: never;
  endLost: never;
  endUnplaced: never;
  endStopped: never;
  endAllOpen: {
    id: string;
    deployingSeconds: number | null;
  };
  requestCancel: never;
  latestReasons: {
    job_id: string;
    reason: string | null;
    message: string | null;
  };
  latestOfUnsettled: {
    jobId: string;
    attempt: number;
    epoch: number;
    status: Status;
    reason: string | null;
    exitCode: number | null;
    begun: boolean;
    decided: boolean;
    ended: boolean;
  };
}
