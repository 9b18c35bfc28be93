/** Made by `node scripts/generate-rows.ts` from the statements of runs.store.ts; do not edit. */
import type { Diagnostic } from "@forgeline/schemas/pipeline-file/diagnostic.ts";
import type { Foreseen } from "@forgeline/schemas/pipelines/foreseen.ts";
import type { RunTemplate } from "@forgeline/schemas/pipelines/template.ts";
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
    source: "api" | "fork_sync" | "manual" | "merge_request" | "mirror_sync" | "pipeline" | "push" | "schedule" | "tag";
    ref: string;
    sha: string;
    event: unknown;
    user_id: string | null;
    username: string | null;
    schedule_id: string | null;
    sequence: number;
    created_at: Date;
    updated_at: Date;
    started_at: Date | null;
    finished_at: Date | null;
    repository_id: string;
    diagnostics: Diagnostic[];
    templates: RunTemplate[];
    foreseen: Foreseen[] | null;
    variables: string[];
    inputs: Record<string, string | number | boolean | null>;
    stages: {
      id: string;
      pipeline_id: string;
      position: number;
      name: string;
      title: string | null;
      status: Status;
      reason: string | null;
      message: string | null;
      warnings: number;
      started_at: string | null;
      finished_at: string | null;
      placement_shared: boolean | null;
      placement_lost: boolean | null;
      placement_runner_id: string | null;
      placement_runner: string | null;
    }[];
    jobs: {
      id: string;
      position: number;
      combination: number;
      stage_id: string;
      key: string;
      matrix: Record<string, string> | null;
      name: string;
      status: Status;
      reason: string | null;
      message: string | null;
      failure_allowed: boolean;
      keep_open: boolean;
      debug: boolean;
      started_at: string | null;
      finished_at: string | null;
      outputs: Record<string, string> | null;
    }[];
    attempts: {
      id: string;
      job_id: string;
      attempt: number;
      state: "delegated" | "ended" | "following" | "leased" | "offered" | "queued";
      status: Status;
      reason: string | null;
      message: string | null;
      exit_code: number | null;
      runner_id: string | null;
      runner_name: string | null;
      unreachable: boolean;
      ends_when_lost: boolean;
      kept_until: string | null;
      log_complete: boolean | null;
      warnings: string[];
      warnings_omitted: number;
      queued_at: string;
      priority: number;
      started_at: string | null;
      finished_at: string | null;
    }[];
    steps: {
      id: string;
      attempt_id: string;
      position: number;
      name: string;
      parallel_group: number | null;
      status: Status;
      reason: string | null;
      message: string | null;
      exit_code: number | null;
      started_at: string | null;
      finished_at: string | null;
    }[];
    needs: Record<string, unknown>;
    rights: Record<string, {
      network: unknown;
      privileged: unknown;
    }>;
    trust: "fork" | "own" | "unknown_author";
    permissions_max: "read" | "write";
    has_gates: boolean;
    permissions: Record<string, unknown>;
    queue: {
      id: string;
      before: number;
      fitting: number;
      usable: number;
      free: number;
      nearest: string | null;
      missing: string[] | null;
      ruledOut: string[] | null;
      unnamed: string[] | null;
      placed: string | null;
      occupant: string | null;
      isShut: boolean;
    }[];
  };
  readQueue: {
    id: string;
    before: number;
    fitting: number;
    usable: number;
    free: number;
    nearest: string | null;
    missing: string[] | null;
    ruledOut: string[] | null;
    unnamed: string[] | null;
    placed: string | null;
    occupant: string | null;
    isShut: boolean;
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
    source: "api" | "fork_sync" | "manual" | "merge_request" | "mirror_sync" | "pipeline" | "push" | "schedule" | "tag";
    ref: string;
    sha: string;
    event: unknown;
    user_id: string | null;
    username: string | null;
    schedule_id: string | null;
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
