/** Made by `node scripts/generate-rows.ts` from the statements of mirrors.store.ts; do not edit. */

export interface MirrorsRows {
  findMirror: {
    id: string;
    repository_id: string;
    url: string;
    interval_minutes: number | null;
    cron: string | null;
    timezone: string | null;
    refs: string[];
    prune: boolean;
    lfs: boolean;
    enabled: boolean;
    disabled_reason: string | null;
    username: string | null;
    sealed_password: Buffer | null;
    sealed_ssh_key: Buffer | null;
    public_key: string | null;
    host_key: string | null;
    failures: number;
    failing_since: Date | null;
    not_before: Date | null;
    requested: "first" | "manual" | null;
    last_success_at: Date | null;
    created_at: Date;
    updated_at: Date;
    last_sync: {
      id: string;
      status: "cancelled" | "failed" | "running" | "succeeded";
      cause: "first" | "manual" | "push" | "schedule";
      progress: "checking" | "connecting" | "lfs" | "moving" | "receiving" | "sending" | null;
      changed_refs: number;
      bytes: number;
      lfs_count: number;
      error: string | null;
      started_at: string;
      finished_at: string | null;
    } | null;
  };
  lockMirror: {
    id: string;
    repository_id: string;
    url: string;
    interval_minutes: number | null;
    cron: string | null;
    timezone: string | null;
    refs: string[];
    prune: boolean;
    lfs: boolean;
    enabled: boolean;
    disabled_reason: string | null;
    username: string | null;
    sealed_password: Buffer | null;
    sealed_ssh_key: Buffer | null;
    public_key: string | null;
    host_key: string | null;
    failures: number;
    failing_since: Date | null;
    not_before: Date | null;
    requested: "first" | "manual" | null;
    last_success_at: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  insertMirror: never;
  updateMirror: never;
  deleteMirror: {
    source_url: string;
  };
  requestSync: {
    source_url: string;
  };
  pauseTransferred: {
    id: string;
  };
  listRepositories: {
    repository_id: string;
  };
  findSchedule: {
    interval_minutes: number | null;
    cron: string | null;
    timezone: string | null;
    enabled: boolean;
    requested: boolean;
  };
  countMirrors: {
    working: number;
    failing: number;
    paused: number;
  };
}
