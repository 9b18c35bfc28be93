/** Made by `node scripts/generate-rows.ts` from the statements of cache.store.ts; do not edit. */

export interface CacheRows {
  findAttempt: {
    epoch: number;
    job_id: string;
    pipeline_id: string;
    repository_id: string;
    trust: "fork" | "own" | "unknown_author";
    ref: string;
    default_branch: string;
    cache: unknown;
  };
  findExact: {
    id: string;
    repository_id: string;
    key: string;
    size_bytes: number;
    parts: string[];
    part_bytes: number[];
  };
  findNewest: {
    id: string;
    repository_id: string;
    key: string;
    size_bytes: number;
    parts: string[];
    part_bytes: number[];
  };
  use: never;
  recordLookup: never;
  recordSaved: never;
  putUpload: {
    id: string;
  };
  findSaving: {
    id: string;
    repository_id: string;
    key: string;
    size_bytes: number;
    parts: string[];
    part_bytes: number[];
    job: string;
    since: Date;
  };
  handOver: {
    id: string;
  };
  lockUpload: {
    id: string;
    repository_id: string;
    parts: string[];
    part_bytes: number[];
    size_bytes: number;
    scope: string;
    key: string;
    paths_hash: string;
    position: number;
    saved: boolean;
    attempt_id: string;
    job_id: string;
    pipeline_id: string;
  };
  keepParts: never;
  save: never;
  isSaved: {
    id: string;
  };
  removeUpload: never;
  findForJob: {
    id: string;
    repository_id: string;
    key: string;
    size_bytes: number;
    parts: string[];
    part_bytes: number[];
  };
  lockRoom: {
    pg_advisory_xact_lock: string | null;
  };
  sumRoom: {
    saved: number;
    entries: number;
    uploading: number;
  };
  listLeastUsed: {
    id: string;
    size_bytes: number;
  };
  evict: never;
}
