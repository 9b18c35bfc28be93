/** Made by `node scripts/generate-rows.ts` from the statements of fork-syncs.store.ts; do not edit. */

export interface ForkSyncsRows {
  insertSync: {
    id: string;
  };
  repeatNewest: {
    id: string;
  };
  findOpen: {
    id: string;
    branch: string | null;
  };
  findSync: {
    id: string;
    repository_id: string;
    cause: "manual" | "schedule";
    branch: string | null;
    status: "cancelled" | "conflict" | "failed" | "fast_forwarded" | "merged" | "running" | "up_to_date" | "waiting";
    branches: unknown;
    conflicts: unknown;
    error: string | null;
    created_at: Date;
    finished_at: Date | null;
    user_name: string | null;
  };
  findNewest: {
    id: string;
    repository_id: string;
    cause: "manual" | "schedule";
    branch: string | null;
    status: "cancelled" | "conflict" | "failed" | "fast_forwarded" | "merged" | "running" | "up_to_date" | "waiting";
    branches: unknown;
    conflicts: unknown;
    error: string | null;
    created_at: Date;
    finished_at: Date | null;
    user_name: string | null;
  };
  listSyncs: {
    id: string;
    repository_id: string;
    cause: "manual" | "schedule";
    branch: string | null;
    status: "cancelled" | "conflict" | "failed" | "fast_forwarded" | "merged" | "running" | "up_to_date" | "waiting";
    branches: unknown;
    conflicts: unknown;
    error: string | null;
    created_at: Date;
    finished_at: Date | null;
    user_name: string | null;
  };
  beginSync: {
    id: string;
    repository_id: string;
    cause: "manual" | "schedule";
    branch: string | null;
    user_id: string | null;
    branches: unknown;
  };
  notePlan: never;
  endSync: {
    id: string;
  };
  failSync: {
    id: string;
  };
  stopOpen: never;
  deleteOldSyncs: {
    id: string;
  };
}
