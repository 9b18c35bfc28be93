/** Syncs of forks as the REST interface shows them. */
import type { ForkSchedule, ForkStanding, ForkSync } from "@forgeline/schemas/fork-syncs/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { iso } from "../mirrors/present.ts";
import type { ForkScheduleRow } from "./fork-schedules.store.ts";
import type { ForkOutcome, ForkSyncRow } from "./fork-syncs.store.ts";

export function presentForkSync(row: ForkSyncRow): ForkSync {
  return {
    id: row.id,
    status: row.status,
    cause: row.cause,
    branch: row.branch,
    branches: row.branches,
    conflicts: row.conflicts,
    error: row.error,
    user: row.user_name,
    created_at: row.created_at.toISOString(),
    finished_at: iso(row.finished_at),
  };
}

export function presentDryRun(
  { status, branches, conflicts }: ForkOutcome,
  { branch, user }: { branch: string | null; user: string },
): ForkSync {
  const now = new Date().toISOString();
  return {
    id: null,
    status,
    cause: "manual",
    branch,
    branches: [...branches],
    conflicts: [...conflicts],
    error: null,
    user,
    created_at: now,
    finished_at: now,
  };
}

export function presentForkSchedule(row: ForkScheduleRow, nextTimes: readonly Date[]): ForkSchedule {
  const { not_before: notBefore } = row;
  const next = nextTimes.find((time) => notBefore === null || time >= notBefore) ?? notBefore;
  return {
    branch: row.branch,
    interval_minutes: row.interval_minutes,
    cron: row.cron,
    timezone: row.timezone,
    enabled: row.enabled,
    disabled_reason: row.disabled_reason,
    owner: row.owner_name,
    next_sync_at: row.enabled ? iso(next) : null,
    failures: row.failures,
    failing_since: iso(row.failing_since),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function presentUpstream(
  { owner, name }: RepositoryRef,
  { baseUrl }: Addresses,
): NonNullable<ForkStanding["upstream"]> {
  const path = [owner, name].map(encodeURIComponent).join("/");
  return { full_name: `${owner}/${name}`, url: `${baseUrl}/repos/${path}` };
}
