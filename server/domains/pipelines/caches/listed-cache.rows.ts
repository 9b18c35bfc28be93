/** Made by `node scripts/generate-rows.ts` from the statements of listed-cache.store.ts; do not edit. */

export interface ListedCacheRows {
  list: {
    id: string;
    key: string;
    scope: string;
    paths: string[];
    size_bytes: number;
    created_at: Date;
    saved_at: Date;
    last_used_at: Date;
    owner: string;
    repository: string;
  };
  count: {
    total: number;
  };
  listUsers: {
    cache_id: string | null;
    saved: boolean;
    pipeline_id: string;
    pipeline_number: number;
    job_id: string;
    job: string;
    matrix: Record<string, string> | null;
    used_at: Date;
  };
  findRun: {
    id: string;
  };
  listOfRun: {
    key: string;
    restored_id: string | null;
    restored_key: string | null;
    restored_bytes: number | null;
    saved_id: string | null;
    saved_bytes: number | null;
    used_at: Date;
    job_id: string;
    job: string;
    matrix: Record<string, string> | null;
  };
  countOfRun: {
    total: number;
  };
  remove: {
    key: string;
    scope: string;
    size_bytes: number;
  };
  removeByPrefix: {
    entries: number;
    bytes: number;
  };
  removeUnused: {
    id: string;
  };
  listRemovable: {
    id: string;
    repository_id: string;
  };
  forget: never;
}
