/** Made by `node scripts/generate-rows.ts` from the statements of run-events.store.ts; do not edit. */
import type { Status } from "@forgeline/schemas/pipelines/status.ts";

export interface RunEventsRows {
  snapshotRun: {
    id: string;
    number: number;
    repository_id: string;
    status: Status;
    reason: string | null;
    message: string | null;
    warnings: number;
    file: string;
    name: string;
    source: "api" | "fork_sync" | "manual" | "merge_request" | "mirror_sync" | "pipeline" | "push" | "schedule" | "tag";
    ref: string;
    sha: string;
    merge_request_number: number | null;
    commit_message: string | null;
    commit_author: string | null;
    user_id: string | null;
    username: string | null;
    schedule_id: string | null;
    actor: string | null;
    schedule_name: string | null;
    sequence: number;
    created_at: Date;
    updated_at: Date;
    started_at: Date | null;
    finished_at: Date | null;
  };
}
