/** Made by `node scripts/generate-rows.ts` from the statements of push-syncs.store.ts; do not edit. */

export interface PushSyncsRows {
  lockDue: {
    id: string;
    repository_id: string;
    url: string;
    refs: string[];
    prune: boolean;
    lfs: boolean;
    lfs_complete: boolean;
    force: boolean;
    username: string | null;
    sealed_password: Buffer | null;
    sealed_ssh_key: Buffer | null;
    host_key: string | null;
    requested: "first" | "manual" | "push" | null;
    failures: number;
    waits: boolean;
  };
  clearRequest: never;
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
  noteDiverged: never;
  listAfter: {
    id: string;
    repository_id: string;
  };
  findSchedule: {
    interval_minutes: number | null;
    cron: string | null;
    timezone: string | null;
    enabled: boolean;
    requested: boolean;
  };
  askForPushes: {
    id: string;
    repository_id: string;
  };
  listDue: {
    id: string;
    repository_id: string;
  };
}
