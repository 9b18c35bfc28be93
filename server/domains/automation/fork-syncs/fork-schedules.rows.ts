/** Made by `node scripts/generate-rows.ts` from the statements of fork-schedules.store.ts; do not edit. */

export interface ForkSchedulesRows {
  findSchedule: {
    repository_id: string;
    branch: string | null;
    interval_minutes: number | null;
    cron: string | null;
    timezone: string | null;
    enabled: boolean;
    disabled_reason: "owner" | "transferred" | "upstream" | null;
    owner_id: string | null;
    failures: number;
    failing_since: Date | null;
    not_before: Date | null;
    created_at: Date;
    updated_at: Date;
    owner_name: string | null;
  };
  putSchedule: never;
  deleteSchedule: {
    repository_id: string;
  };
  lockDue: {
    repository_id: string;
    branch: string | null;
    owner_id: string | null;
  };
  noteSuccess: {
    alerted_at: Date | null;
    failing_since: Date | null;
  };
  noteFailure: {
    failures: number;
    failing_since: Date | null;
    alerted_at: Date | null;
    interval_minutes: number | null;
    cron: string | null;
    timezone: string | null;
  };
  waitFor: never;
  noteAlert: never;
  pause: {
    repository_id: string;
  };
  listAfter: {
    repository_id: string;
  };
  countSchedules: {
    working: number;
    failing: number;
    paused: number;
  };
}
