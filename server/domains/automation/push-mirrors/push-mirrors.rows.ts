/** Made by `node scripts/generate-rows.ts` from the statements of push-mirrors.store.ts; do not edit. */

export interface PushMirrorsRows {
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
    force: boolean;
    on_push: boolean;
    enabled: boolean;
    disabled_reason: "restored" | "transferred" | null;
    username: string | null;
    sealed_password: Buffer | null;
    sealed_ssh_key: Buffer | null;
    public_key: string | null;
    host_key: string | null;
    diverged: unknown;
    diverged_count: number;
    failures: number;
    failing_since: Date | null;
    not_before: Date | null;
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
  listMirrors: {
    id: string;
    repository_id: string;
    url: string;
    interval_minutes: number | null;
    cron: string | null;
    timezone: string | null;
    refs: string[];
    prune: boolean;
    lfs: boolean;
    force: boolean;
    on_push: boolean;
    enabled: boolean;
    disabled_reason: "restored" | "transferred" | null;
    username: string | null;
    sealed_password: Buffer | null;
    sealed_ssh_key: Buffer | null;
    public_key: string | null;
    host_key: string | null;
    diverged: unknown;
    diverged_count: number;
    failures: number;
    failing_since: Date | null;
    not_before: Date | null;
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
  holdRepository: {
    id: string;
  };
  lockMirror: {
    id: string;
    updated_at: Date;
  };
  findRival: {
    id: string;
  };
  insertMirror: never;
  updateMirror: never;
  deleteMirror: {
    target_url: string;
  };
  requestSync: {
    target_url: string;
  };
  pauseTransferred: {
    id: string;
  };
  pauseRestored: {
    id: string;
    repository_id: string;
    name: string;
    url: string;
  };
  countMirrors: {
    working: number;
    failing: number;
    diverged: number;
    paused: number;
  };
}
