/** Made by `node scripts/generate-rows.ts` from the statements of queue-runs.store.ts; do not edit. */
import type { Status } from "@forgeline/schemas/pipelines/status.ts";

export interface QueueRunsRows {
  readRuns: {
    id: string;
    number: number;
    file: string;
    status: Status;
    reason: string | null;
  };
  hasPassed: {
    id: string;
  };
  openAmong: {
    id: string;
  };
}
