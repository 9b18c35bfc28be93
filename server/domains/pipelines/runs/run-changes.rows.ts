/** Made by `node scripts/generate-rows.ts` from the statements of run-changes.store.ts; do not edit. */
import type { Plan } from "@forgeline/schemas/pipeline-file/plan.ts";

export interface RunChangesRows {
  keepCancelReason: never;
  readCancelReason: {
    cancel_reason: string | null;
  };
  releaseHeld: never;
  findKept: {
    id: string;
  };
  readPlan: {
    plan: Plan | null;
  };
  reopen: never;
}
