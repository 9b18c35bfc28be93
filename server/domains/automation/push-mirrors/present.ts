/** Push mirrors as the REST interface shows them. */
import type { PushMirror, PushMirrorStatus } from "@forgeline/schemas/push-mirrors/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { iso, presentHealth, presentSettings } from "../mirrors/present.ts";
import type { PushMirrorRow } from "./push-mirrors.store.ts";

export function presentPushMirror(
  row: PushMirrorRow,
  {
    repository,
    nextTimes,
    addresses,
  }: { repository: RepositoryRef; nextTimes: readonly Date[]; addresses: Addresses },
): PushMirror {
  const path = [repository.owner, repository.name].map(encodeURIComponent).join("/");
  return {
    id: row.id,
    url: row.url,
    status: statusOf(row),
    enabled: row.enabled,
    disabled_reason: row.disabled_reason,
    ...presentSettings(row),
    force: row.force,
    on_push: row.on_push,
    next_sync_at: iso(nextOf(row, { nextTimes, archived: repository.archived })),
    diverged: row.diverged,
    diverged_count: row.diverged_count,
    ...presentHealth(row),
    api_url: `${addresses.baseUrl}/repos/${path}/push-mirrors/${row.id}`,
    web_url: `${addresses.webUrl}/${path}/settings/push-mirrors/${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function statusOf(row: PushMirrorRow): PushMirrorStatus {
  if (row.last_sync?.status === "running") return "syncing";
  if (!row.enabled) return "paused";
  if (row.failures > 0) return row.diverged_count > 0 ? "diverged" : "failing";
  return row.last_success_at === null ? "waiting" : "up_to_date";
}

/** After a failure it is tried again when the wait is over, whatever the schedule says. */
function nextOf(
  { enabled, not_before: notBefore }: PushMirrorRow,
  { nextTimes, archived }: { nextTimes: readonly Date[]; archived: boolean },
): Date | null {
  if (!enabled || archived) return null;
  return notBefore ?? nextTimes[0] ?? null;
}
