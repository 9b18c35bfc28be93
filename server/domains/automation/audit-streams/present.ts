/** Streams as the REST interface shows them. */
import type { AuditStream } from "@forgeline/schemas/audit-streams/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { StreamRow } from "./audit-streams.store.ts";

export function presentAuditStream(row: StreamRow, { baseUrl, webUrl }: Addresses): AuditStream {
  const ofInstance = row.organization === null;
  const log = ofInstance
    ? "/admin/audit-log"
    : `/orgs/${encodeURIComponent(row.organization ?? "")}/audit-log`;
  // What has expired meanwhile does not wait any more.
  const lag = Math.max(0, row.head_number - row.sent_number - (row.expired ?? 0));
  const { target } = row;
  return {
    id: row.id,
    status: statusOf(row, lag),
    enabled: row.enabled,
    disabled_reason: row.disabled_reason,
    url: target.kind === "https" ? target.url : null,
    bucket: target.kind === "bucket" ? bucketOf(target) : null,
    syslog: target.kind === "syslog" ? { host: target.host, port: target.port } : null,
    ca_certificate: row.ca_certificate,
    previous_token_until: untilOf(row.previous_until),
    last_sent_seq: row.sent_number,
    last_sent_at: timeOf(row.sent_at),
    lag,
    lag_seconds: row.oldest_at ? Math.max(0, Math.floor((Date.now() - row.oldest_at.getTime()) / 1000)) : 0,
    last_error: row.last_error,
    failures: row.failures,
    failing_since: timeOf(row.failing_since),
    next_attempt_at: timeOf(row.next_attempt_at),
    api_url: `${baseUrl}${log}/stream`,
    web_url: `${webUrl}${ofInstance ? "/-" : ""}${log}/stream`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function statusOf({ enabled, failing_since: failing }: StreamRow, lag: number): AuditStream["status"] {
  if (!enabled) return "paused";
  if (failing) return "failing";
  return lag === 0 ? "up_to_date" : "sending";
}

function bucketOf({
  name,
  region,
  endpoint,
  prefix,
  access_key_id,
}: Extract<StreamRow["target"], { kind: "bucket" }>) {
  return { name, region, endpoint, prefix, access_key_id };
}

const timeOf = (at: Date | null) => at && at.toISOString();

/** What is over is not shown. */
const untilOf = (at: Date | null) => (at && at.getTime() > Date.now() ? at.toISOString() : null);
