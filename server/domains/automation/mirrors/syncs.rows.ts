/** Made by `node scripts/generate-rows.ts` from the statements of syncs.store.ts; do not edit. */

export interface SyncsRows {
  lockDue: {
    id: string;
    repository_id: string;
    url: string;
    interval_minutes: number | null;
    cron: string | null;
    timezone: string | null;
    refs: string[];
    prune: boolean;
    lfs: boolean;
    lfs_complete: boolean;
    username: string | null;
    sealed_password: Buffer | null;
    sealed_ssh_key: Buffer | null;
    host_key: string | null;
    replaces: boolean;
    requested: "first" | "manual" | null;
    failures: number;
    waits: boolean;
  };
  clearRequest: never;
  findRunning: {
    id: string;
    work: string;
    silent: boolean | null;
  };
  insertSync: never;
  noteProgress: never;
  notePlan: never;
  succeedSync: {
    id: string;
  };
  failSync: {
    id: string;
  };
  stopSync: never;
  stopOfMirror: never;
  stopOfRepository: never;
  noteSuccess: {
    alerted_at: Date | null;
    failing_since: Date | null;
  };
  noteFailure: {
    failures: number;
    failing_since: Date | null;
    alerted_at: Date | null;
  };
  noteAlert: never;
  listSyncs: {
    id: string;
    status: "cancelled" | "failed" | "running" | "succeeded";
    cause: "first" | "manual" | "push" | "schedule";
    progress: "checking" | "connecting" | "lfs" | "moving" | "receiving" | "sending" | null;
    changed_refs: number;
    bytes: number;
    lfs_count: number;
    refs: unknown;
    notes: string[];
    error: string | null;
    started_at: Date;
    finished_at: Date | null;
  };
  deleteOldSyncs: {
    id: string;
  };
  deleteTooMany: {
    id: string;
  };
}
