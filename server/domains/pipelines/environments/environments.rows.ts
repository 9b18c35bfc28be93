/** Made by `node scripts/generate-rows.ts` from the statements of environments.store.ts; do not edit. */
import type { Status } from "@forgeline/schemas/pipelines/status.ts";

export interface EnvironmentsRows {
  listEnvironments: {
    id: string;
    name: string;
    branches: string[];
    tags: string[];
    approvers: string[];
    approval_level: "admin" | "maintain" | "write" | null;
    approval_count: number;
    allow_self: boolean;
    wait_minutes: number;
    refuse_older: boolean;
    allow_shell: boolean;
    confirmed_at: Date | null;
    created_at: Date;
    updated_at: Date;
    current: {
      deployment: string;
      pipeline_id: string;
      number: number;
      sha: string;
      ref: string;
      url: string | null;
      at: string | null;
      actor: string | null;
      approved_by: string[];
      before: {
        number: number;
        sha: string;
      } | null;
    } | null;
    waiting: {
      pipeline_id: string;
      number: number;
      sha: string;
      ref: string;
      actor: string | null;
      job_id: string;
      key: string;
      name: string;
      reason: string;
      message: string | null;
    }[];
    deploying: {
      pipeline_id: string;
      number: number;
      sha: string;
      ref: string;
      actor: string | null;
      job_id: string;
      key: string;
      name: string;
      status: Status;
    }[];
  };
  findEnvironment: {
    id: string;
    name: string;
    branches: string[];
    tags: string[];
    approvers: string[];
    approval_level: "admin" | "maintain" | "write" | null;
    approval_count: number;
    allow_self: boolean;
    wait_minutes: number;
    refuse_older: boolean;
    allow_shell: boolean;
    confirmed_at: Date | null;
    created_at: Date;
    updated_at: Date;
    current: {
      deployment: string;
      pipeline_id: string;
      number: number;
      sha: string;
      ref: string;
      url: string | null;
      at: string | null;
      actor: string | null;
      approved_by: string[];
      before: {
        number: number;
        sha: string;
      } | null;
    } | null;
    waiting: {
      pipeline_id: string;
      number: number;
      sha: string;
      ref: string;
      actor: string | null;
      job_id: string;
      key: string;
      name: string;
      reason: string;
      message: string | null;
    }[];
    deploying: {
      pipeline_id: string;
      number: number;
      sha: string;
      ref: string;
      actor: string | null;
      job_id: string;
      key: string;
      name: string;
      status: Status;
    }[];
  };
  findId: {
    id: string;
  };
  findOfRun: {
    trust: "fork" | "own" | "unknown_author";
    id: string | null;
    name: string | null;
    branches: string[] | null;
    tags: string[] | null;
    approvers: string[] | null;
    approval_level: "admin" | "maintain" | "write" | null;
    approval_count: number | null;
    allow_self: boolean | null;
    wait_minutes: number | null;
    refuse_older: boolean | null;
    newer: {
      environment: string;
      pipeline_id: string;
      number: number;
      sha: string;
      at: string;
      refused: boolean;
    } | null;
  };
  listProtections: {
    name: string;
    branches: string[];
    tags: string[];
    approval_count: number;
    wait_minutes: number;
  };
  findGuarded: {
    name: string;
  };
  hold: {
    pg_advisory_xact_lock: string | null;
  };
  countEnvironments: {
    count: number;
  };
  insertEnvironment: never;
  updateProtection: never;
  deleteEnvironment: never;
  unknownApprovers: {
    name: string;
  };
}
