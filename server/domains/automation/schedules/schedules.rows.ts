/** Made by `node scripts/generate-rows.ts` from the statements of schedules.store.ts; do not edit. */
import type { Status } from "@forgeline/schemas/pipelines/status.ts";

export interface SchedulesRows {
  findSchedule: {
    id: string;
    repository_id: string;
    source: "file" | "manual";
    file: string | null;
    name: string;
    cron: string;
    timezone: string;
    ref: string | null;
    variables: unknown;
    inputs: unknown;
    if_missed: "run_once" | "skip";
    enabled: boolean;
    disabled_reason: "fork" | "mirror" | "owner" | null;
    owner_id: string | null;
    reach: "here" | "reads" | "starts";
    next_at: Date | null;
    failures: number;
    created_at: Date;
    updated_at: Date;
    owner: string | null;
    last_runs: {
      cause: "manual" | "missed" | "schedule";
      status: "failed" | "skipped" | "started";
      due_at: string;
      missed: number;
      error: string | null;
      created_at: string;
      username: string | null;
      pipeline_id: string | null;
      number: number | null;
      pipeline_status: Status | null;
    }[];
  };
  listSchedules: {
    id: string;
    repository_id: string;
    source: "file" | "manual";
    file: string | null;
    name: string;
    cron: string;
    timezone: string;
    ref: string | null;
    variables: unknown;
    inputs: unknown;
    if_missed: "run_once" | "skip";
    enabled: boolean;
    disabled_reason: "fork" | "mirror" | "owner" | null;
    owner_id: string | null;
    reach: "here" | "reads" | "starts";
    next_at: Date | null;
    failures: number;
    created_at: Date;
    updated_at: Date;
    owner: string | null;
    last_runs: {
      cause: "manual" | "missed" | "schedule";
      status: "failed" | "skipped" | "started";
      due_at: string;
      missed: number;
      error: string | null;
      created_at: string;
      username: string | null;
      pipeline_id: string | null;
      number: number | null;
      pipeline_status: Status | null;
    }[];
  };
  holdRepository: {
    id: string;
  };
  lockSchedule: {
    id: string;
    updated_at: Date;
  };
  countManual: {
    count: number;
  };
  findRival: {
    id: string;
  };
  insertSchedule: never;
  updateSchedule: never;
  deleteSchedule: never;
  listOfFiles: {
    id: string;
    file: string | null;
    name: string;
    cron: string;
    timezone: string;
    ref: string | null;
    if_missed: "run_once" | "skip";
    enabled: boolean;
    disabled_reason: "fork" | "mirror" | "owner" | null;
    owner_id: string | null;
    reach: "here" | "reads" | "starts";
    next_at: Date | null;
  };
  countSchedules: {
    working: number;
    failing: number;
    off: number;
    lag: number;
  };
}
