/** Made by `node scripts/generate-rows.ts` from the statements of run-state.store.ts; do not edit. */
import type { Status } from "@forgeline/schemas/pipelines/status.ts";

export interface RunStateRows {
  findRunRow: {
    id: string;
    status: Status;
  };
  findRunStreams: {
    id: string;
    kind: "service" | "setup" | "shell" | "step";
    stage: string;
    job: string;
    job_label: string;
    job_name: string;
    job_id: string;
    attempt: number;
    newest: boolean;
    step: number | null;
    name: string;
    unnamed: boolean;
    next_offset: number;
    next_line: number;
    ended: boolean;
    complete: boolean;
  };
  findRunNodes: {
    node: "job" | "pipeline" | "stage" | "step";
    id: string;
    name: string;
    job: string | null;
    job_label: string | null;
    attempt: number | null;
    status: Status;
    reason: string | null;
    message: string | null;
    time: Date;
  };
}
