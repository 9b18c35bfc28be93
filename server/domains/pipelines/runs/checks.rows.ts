/** Made by `node scripts/generate-rows.ts` from the statements of checks.store.ts; do not edit. */
import type { Status } from "@forgeline/schemas/pipelines/status.ts";

export interface ChecksRows {
  newestRuns: {
    id: string;
    number: number;
    file: string;
    status: Status;
    reason: string | null;
    jobs: {
      key: string;
      status: Status;
      reason: string | null;
    }[];
  };
  isResultDue: {
    is_due: boolean;
  };
}
