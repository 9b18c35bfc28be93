/** Made by `node scripts/generate-rows.ts` from the statements of run-record.store.ts; do not edit. */
import type { Status } from "@forgeline/schemas/pipelines/status.ts";

export interface RunRecordRows {
  lockPipeline: {
    id: string;
    repository_id: string;
    number: number;
    sequence: number;
    started_sequence: number;
    status: Status;
    reason: string | null;
    message: string | null;
    warnings: number;
    running_seconds: number | null;
    parent_attempt_id: string | null;
    needs_approval: boolean;
  };
  readParts: {
    stages: {
      id: string;
      position: number;
      name: string;
      status: Status;
      reason: string | null;
      message: string | null;
      warnings: number;
    }[];
    jobs: {
      id: string;
      position: number;
      stage_id: string;
      key: string;
      matrix: Record<string, string> | null;
      combination: number;
      expanded: boolean;
      status: Status;
      reason: string | null;
      message: string | null;
      allowed: boolean;
      attempts: number;
      environment: string | null;
    }[];
    has_slots: boolean;
  };
  writeRecord: never;
  lockRunOfAttempt: never;
  raiseVersion: never;
  raiseVersionOfHeld: {
    id: string;
  };
}
