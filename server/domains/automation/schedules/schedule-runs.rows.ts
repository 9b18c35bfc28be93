/** Made by `node scripts/generate-rows.ts` from the statements of schedule-runs.store.ts; do not edit. */
import type { Status } from "@forgeline/schemas/pipelines/status.ts";

export interface ScheduleRunsRows {
  insertRun: never;
  listRuns: {
    cause: "manual" | "missed" | "schedule";
    status: "failed" | "skipped" | "started";
    due_at: Date;
    missed: number;
    error: string | null;
    created_at: Date;
    username: string | null;
    pipeline_id: string | null;
    number: number | null;
    pipeline_status: Status | null;
  };
  deleteOldRuns: {
    id: number;
  };
}
