/** Webhooks and deliveries as the REST interface shows them. */
import type {
  Delivery,
  DeliveryAttempt,
  DeliverySummary,
  Webhook,
} from "@forgeline/schemas/webhooks/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { AttemptRow, SummaryRow } from "./deliveries.store.ts";
import { problemSentence } from "./problems.ts";
import type { WebhookRow } from "./webhooks.store.ts";

/** Where the webhooks of a repository or organization are: parts of addresses. */
export interface HookPaths {
  /** `repos/OWNER/NAME` or `orgs/NAME`. */
  api: string;
  /** Of its page of webhooks. */
  web: string;
}

export function presentWebhook(row: WebhookRow, paths: HookPaths, addresses: Addresses): Webhook {
  return {
    id: row.id,
    url: row.shown_url,
    events: row.event_kinds as Webhook["events"],
    active: row.active,
    content_type: "json",
    ordered: row.ordered,
    ca_certificate: row.ca_certificate,
    previous_secret_until: iso(row.previous_until),
    disabled_reason: row.disabled_reason,
    failing_since: iso(row.failing_since),
    next_attempt_at: row.active ? iso(row.retry_at) : null,
    waiting: row.waiting,
    last_delivery: row.last_delivery && {
      ...row.last_delivery,
      created_at: new Date(row.last_delivery.created_at).toISOString(),
    },
    api_url: `${addresses.baseUrl}/${paths.api}/webhooks/${row.id}`,
    web_url: `${addresses.webUrl}/${paths.web}/${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export interface DeliveryPlace {
  webhookId: string;
  paths: HookPaths;
  addresses: Addresses;
}

export function presentDeliverySummary(row: SummaryRow, place: DeliveryPlace): DeliverySummary {
  const { webhookId, paths, addresses } = place;
  return {
    id: row.id,
    number: row.number,
    event: row.event as DeliverySummary["event"],
    action: row.action,
    test: row.test,
    status: row.status,
    attempts_count: row.attempts_count,
    response_status: row.response_status,
    error:
      row.status === "failed" && row.attempts_count === 0
        ? neverTried
        : problemSentence(row.error, row.response_status),
    next_attempt_at: iso(row.next_attempt_at),
    finished_at: iso(row.finished_at),
    url: `${addresses.baseUrl}/${paths.api}/webhooks/${webhookId}/deliveries/${row.id}`,
    web_url: `${addresses.webUrl}/${paths.web}/${webhookId}/deliveries/${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: (row.finished_at ?? row.last_attempt_at ?? row.created_at).toISOString(),
  };
}

const neverTried = "Given up after 24 hours without an attempt, because the endpoint accepted nothing.";

export function presentDelivery(
  { row, attempts, body }: { row: SummaryRow; attempts: readonly AttemptRow[]; body: string },
  place: DeliveryPlace,
): Delivery {
  return {
    ...presentDeliverySummary(row, place),
    attempts: attempts.map(presentAttempt),
    request_headers: attempts[0]?.request_headers ?? null,
    request_body: body,
  };
}

function presentAttempt(row: AttemptRow): DeliveryAttempt {
  return {
    attempt: row.attempt,
    at: row.at.toISOString(),
    status: row.response_status,
    duration_ms: row.duration_ms,
    error: problemSentence(row.error, row.response_status),
    request_headers: row.request_headers,
    response_headers: row.response_headers,
    response_body: row.response_body,
    response_truncated: row.truncated,
  };
}

function iso(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
