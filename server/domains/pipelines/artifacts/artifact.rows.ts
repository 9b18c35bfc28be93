/** Made by `node scripts/generate-rows.ts` from the statements of artifact.store.ts; do not edit. */
import type { Status } from "@forgeline/schemas/pipelines/status.ts";

export interface ArtifactRows {
  findAttempt: {
    id: string;
    epoch: number;
    job_id: string;
    pipeline_id: string;
    repository_id: string;
    artifacts: unknown;
    needs: unknown;
  };
  lockUse: {
    pg_advisory_xact_lock: string | null;
  };
  sumUse: {
    job: number;
    repository: number;
  };
  putUpload: {
    id: string;
    complete: boolean;
  };
  lockUpload: {
    id: string;
    repository_id: string;
    size_bytes: number;
    files: number;
    parts: string[];
    announced_bytes: number;
    sha256: string | null;
  };
  keepParts: never;
  complete: {
    id: string;
  };
  publish: never;
  findRun: {
    id: string;
  };
  listOfRun: {
    id: string;
    repository_id: string;
    name: string;
    size_bytes: number;
    files: number;
    parts: string[];
    sha256: string | null;
    created_at: Date;
    published_at: Date;
    expires_at: Date | null;
    job_id: string;
    job: string;
    job_name: string;
    matrix: Record<string, string> | null;
    pipeline_id: string;
    pipeline_number: number;
    owner: string;
    repository: string;
  };
  countOfRun: {
    total: number;
  };
  findVisible: {
    id: string;
    repository_id: string;
    name: string;
    size_bytes: number;
    files: number;
    parts: string[];
    sha256: string | null;
    created_at: Date;
    published_at: Date;
    expires_at: Date | null;
    job_id: string;
    job: string;
    job_name: string;
    matrix: Record<string, string> | null;
    pipeline_id: string;
    pipeline_number: number;
    owner: string;
    repository: string;
  };
  remove: {
    id: string;
  };
  listNeeded: {
    key: string;
    jobName: string;
    matrix: Record<string, string> | null;
    status: Status;
    id: string | null;
    name: string | null;
    size_bytes: number | null;
    files: number | null;
    parts: string[] | null;
  };
  findForJob: {
    id: string;
    repository_id: string;
    size_bytes: number;
    parts: string[];
  };
  listExpired: {
    id: string;
    repository_id: string;
    branch: string | null;
    newest: boolean;
  };
  shorten: {
    id: string;
  };
  postpone: never;
  removeAll: {
    id: string;
  };
  listRemovable: {
    id: string;
    repository_id: string;
  };
  forget: never;
  sumBytes: {
    bytes: number;
  };
}
