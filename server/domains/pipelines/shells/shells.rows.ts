/** Made by `node scripts/generate-rows.ts` from the statements of shells.store.ts; do not edit. */
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";

export interface ShellsRows {
  findPlace: {
    pipelineId: string;
    number: number;
    trust: "fork" | "own" | "unknown_author";
    jobId: string;
    key: string;
    name: string;
    status: Status;
    attemptId: string | null;
    attempt: number | null;
    isLeased: boolean | null;
    isStarted: boolean;
    unreachable: boolean | null;
    isStopping: boolean;
    job: PlanJob | null;
    allowShell: boolean;
  };
  findSharers: {
    job: unknown;
    allowShell: boolean;
  };
  hold: {
    pg_advisory_xact_lock: string | null;
  };
  countOpen: {
    instance: number;
    job: number;
    user: number;
  };
  insertShell: {
    asked_at: Date;
  };
  connectViewer: {
    actor: unknown;
  };
  findWanted: {
    shellId: string;
    attemptId: string;
    epoch: number;
    runnerId: string | null;
    columns: number;
    rows: number;
  };
  connectRunner: {
    streamId: string;
  };
  seeViewers: {
    id: string;
  };
  seeRunners: {
    id: string;
  };
  findLost: {
    id: string;
    state: "asked" | "connected" | "ended" | "running";
  };
  endShell: {
    actor: unknown;
    pipelineId: string;
    name: string;
    jobId: string;
    key: string;
    attempt: number;
    seconds: number | null;
  };
  findEnd: {
    reason: string | null;
    message: string | null;
    exitCode: number | null;
  };
  putParcel: {
    shell_id: string;
  };
  removeParcels: never;
  takeParcel: {
    frames: Buffer;
  };
}
