/** Made by `node scripts/generate-rows.ts` from the statements of runs.store.ts; do not edit. */
import type { Diagnostic } from "@forgeline/schemas/pipeline-file/diagnostic.ts";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";

export interface RunsRows {
  findRunVersion: {
    id: string;
    number: number;
    version: number;
    open: boolean;
  };
  readRun: {
    id: string;
    number: number;
    status: Status;
    reason: string | null;
    message: string | null;
    warnings: number;
    file: string;
    name: string;
    source: "api" | "manual" | "merge_request" | "push" | "schedule" | "tag";
    ref: string;
    sha: string;
    event: unknown;
    user_id: string;
    username: string;
    sequence: number;
    created_at: Date;
    updated_at: Date;
    started_at: Date | null;
    finished_at: Date | null;
    diagnostics: Diagnostic[];
    variables: string[];
    inputs: Record<string, string | number | boolean>;
    stages: unknown;
    jobs: unknown;
    attempts: unknown;
    steps: unknown;
    needs: unknown;
    queue: unknown;
  };
  hasPassed: {
    id: string;
  };
  listRuns: {
    id: string;
    number: number;
    status: Status;
    reason: string | null;
    message: string | null;
    warnings: number;
    file: string;
    name: string;
    source: "api" | "manual" | "merge_request" | "push" | "schedule" | "tag";
    ref: string;
    sha: string;
    event: unknown;
    user_id: string;
    username: string;
    sequence: number;
    created_at: Date;
    updated_at: Date;
    started_at: Date | null;
    finished_at: Date | null;
  };
  listTransitions: {
    id: number;
    node: "attempt" | "job" | "pipeline" | "stage" | "step";
    node_id: string;
    attempt: number | null;
    old_status: Status | null;
    new_status: Status;
    reason: string | null;
    message: string | null;
    actor: string | null;
    at: Date;
  };
  countTransitions: {
    total: number;
  };
  countOpen: {
    status: Status;
    count: number;
  };
  openRuns: {
    id: string;
    number: number;
  };
}
