/** Made by `node scripts/generate-rows.ts` from the statements of badges.store.ts; do not edit. */
import type { Status } from "@forgeline/schemas/pipelines/status.ts";

export interface BadgesRows {
  findNewestRuns: {
    file: string;
    status: Status;
    warnings: number;
  };
}
