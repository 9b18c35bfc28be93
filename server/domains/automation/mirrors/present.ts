/** Mirrors and their syncs as the REST interface shows them. */
import type {
  Mirror,
  MirrorPreview,
  MirrorStatus,
  MirrorSync,
  MirrorSyncSummary,
} from "@forgeline/schemas/mirrors/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { fingerprintOf } from "../../../platform/ssh/key-text.ts";
import { shortRefName } from "../../../platform/git/refs/names.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { MirrorRow } from "./mirrors.store.ts";
import { changeOf, type RefPlan } from "./plan-changes.ts";
import type { LastSync, SyncRow } from "./syncs.store.ts";

export function presentMirror(
  row: MirrorRow,
  {
    repository,
    nextTimes,
    addresses,
  }: { repository: RepositoryRef; nextTimes: readonly Date[]; addresses: Addresses },
): Mirror {
  const path = [repository.owner, repository.name].map(encodeURIComponent).join("/");
  return {
    id: row.id,
    url: row.url,
    status: statusOf(row),
    enabled: row.enabled,
    disabled_reason: row.disabled_reason,
    ...presentSettings(row),
    next_sync_at: iso(nextOf(row, nextTimes)),
    ...presentHealth(row),
    api_url: `${addresses.baseUrl}/repos/${path}/mirror`,
    web_url: `${addresses.webUrl}/${path}/settings/mirror`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

interface SettingsRow {
  interval_minutes: number | null;
  cron: string | null;
  timezone: string | null;
  refs: string[];
  prune: boolean;
  lfs: boolean;
  username: string | null;
  public_key: string | null;
  host_key: string | null;
}

/** What is set for mirrors of either direction. */
export function presentSettings(row: SettingsRow) {
  return {
    interval_minutes: row.interval_minutes,
    cron: row.cron,
    timezone: row.timezone,
    refs: row.refs,
    prune: row.prune,
    lfs: row.lfs,
    username: row.username,
    public_key: row.public_key,
    host_key: row.host_key,
    host_key_fingerprint: row.host_key === null ? null : fingerprintOf(row.host_key),
  };
}

interface HealthRow {
  failures: number;
  failing_since: Date | null;
  last_sync: LastSync | null;
  last_success_at: Date | null;
}

/** How syncs of mirrors of either direction went. */
export function presentHealth(row: HealthRow) {
  return {
    failures: row.failures,
    failing_since: iso(row.failing_since),
    last_sync: row.last_sync && presentLastSync(row.last_sync),
    last_success_at: iso(row.last_success_at),
  };
}

function statusOf(row: MirrorRow): MirrorStatus {
  if (row.last_sync?.status === "running") return "syncing";
  if (!row.enabled) return "paused";
  if (row.failures > 0) return "failing";
  return row.last_success_at === null ? "waiting" : "up_to_date";
}

/** Null while it is paused. After failures the schedule's times are skipped until it may be tried again. */
function nextOf({ enabled, not_before: notBefore }: MirrorRow, times: readonly Date[]): Date | null {
  if (!enabled) return null;
  return times.find((time) => notBefore === null || time >= notBefore) ?? notBefore;
}

function presentLastSync(sync: LastSync): MirrorSyncSummary {
  return summary({
    ...sync,
    started_at: new Date(sync.started_at),
    finished_at: sync.finished_at === null ? null : new Date(sync.finished_at),
  });
}

type Summarized = Omit<SyncRow, "refs" | "notes">;

function summary(row: Summarized): MirrorSyncSummary {
  return {
    id: row.id,
    status: row.status,
    cause: row.cause,
    started_at: row.started_at.toISOString(),
    finished_at: iso(row.finished_at),
    duration_ms: row.finished_at && Math.max(0, row.finished_at.getTime() - row.started_at.getTime()),
    changed_refs: row.changed_refs,
    bytes: row.bytes,
    lfs_objects: row.lfs_count,
    progress: row.progress,
    error: row.error,
  };
}

/** Of a preview. */
const maxListed = 1_000;

export function presentSync(row: SyncRow): MirrorSync {
  return { ...summary(row), refs: row.refs, notes: row.notes, created_at: row.started_at.toISOString() };
}

export function presentPreview({ updates, notes }: RefPlan, head: string | null): MirrorPreview {
  const refs = updates.map(changeOf);
  const count = (wanted: string) => refs.filter(({ change }) => change === wanted).length;
  return {
    refs: refs.slice(0, maxListed),
    total: updates.length,
    created: count("created"),
    updated: count("updated"),
    deleted: count("deleted"),
    default_branch: head === null ? null : shortRefName(head),
    notes,
  };
}

export function iso(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
