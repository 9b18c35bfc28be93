/** Made by `node scripts/generate-rows.ts` from the statements of deployments.store.ts; do not edit. */
import type { Status } from "@forgeline/schemas/pipelines/status.ts";

export interface DeploymentsRows {
  insertDeployments: never;
  ofAttempts: {
    id: string;
    status: Status;
    sha: string;
    ref: string;
    job_id: string;
    key: string;
    job_name: string;
    attempt: number;
    username: string | null;
    url: string | null;
    repeats_id: string | null;
    created_at: Date;
    approved_by: string[];
    started_at: Date | null;
    finished_at: Date | null;
    actor_id: string | null;
    environment: string;
  };
  listDeployments: {
    id: string;
    status: Status;
    sha: string;
    ref: string;
    job_id: string;
    key: string;
    job_name: string;
    attempt: number;
    username: string | null;
    url: string | null;
    repeats_id: string | null;
    created_at: Date;
    approved_by: string[];
    started_at: Date | null;
    finished_at: Date | null;
    pipeline_id: string;
    number: number;
    is_current: boolean | null;
  };
  findDeployment: {
    id: string;
    status: Status;
    pipeline_id: string;
    job_id: string;
  };
}
