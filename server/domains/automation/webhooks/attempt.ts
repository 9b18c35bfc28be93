/** One attempt of a delivery: a signed request, and what became of it. */
import type { Addresses } from "../../../platform/addresses.ts";
import { OutboundError } from "../../../platform/outbound/outbound-error.ts";
import type { PostResponse } from "../../../platform/outbound/connections.ts";
import { storableText } from "../../../platform/storable-text.ts";
import { bodyOf } from "./body.ts";
import { waitAfter } from "./delivery-states.ts";
import type { Endpoint } from "./endpoints.ts";
import type { MovedDelivery, WaitingDelivery } from "./sending.store.ts";
import { signatureHeaders } from "./signatures.ts";

const timeoutMs = 10_000;
const maxResponseBytes = 64 * 1024;

export interface Attempt extends MovedDelivery {
  webhookId: string;
  durationMs: number;
}

export interface AttemptDeps {
  addresses: Addresses;
  /** Until the second attempt; it doubles from there. */
  firstWaitMs: number;
}

/** Never throws: whatever goes wrong is the result. */
export async function attemptDelivery(
  { endpoint, addresses, firstWaitMs }: AttemptDeps & { endpoint: Endpoint },
  delivery: WaitingDelivery,
): Promise<Attempt> {
  const startedAt = Date.now();
  const body = bodyOf(delivery, delivery, addresses);
  const headers = headersOf(endpoint, { delivery, body, timestamp: Math.floor(startedAt / 1000) });
  const { url, authorization } = endpoint.target;
  const sent = { ...headers, ...(authorization === undefined ? {} : { authorization }) };
  const outcome = await endpoint.connections
    .post({ url, headers: sent, body, maxResponseBytes, timeoutMs })
    .catch((error: Error) => error);
  const durationMs = Date.now() - startedAt;
  const result = outcome instanceof Error ? undefined : outcome;
  const accepted = result !== undefined && result.status >= 200 && result.status < 300;
  return {
    webhookId: endpoint.id,
    delivery_id: delivery.id,
    accepted,
    durationMs,
    wait_ms: waitAfter(delivery.tries + 1, firstWaitMs),
    attempt: {
      at: new Date(startedAt).toISOString(),
      duration_ms: durationMs,
      response_status: result?.status ?? null,
      error: accepted ? null : outcome instanceof Error ? problemOf(outcome) : "status",
      request_headers: { ...headers, ...(authorization === undefined ? {} : { authorization: "***" }) },
      response_headers: result ? shownHeaders(result) : null,
      response_body: result ? storableText(result.body.toString("utf8")) : null,
      truncated: result?.truncated ?? false,
    },
  };
}

interface Signed {
  delivery: WaitingDelivery;
  body: string;
  timestamp: number;
}

function headersOf(endpoint: Endpoint, { delivery, body, timestamp }: Signed): Record<string, string> {
  return {
    "content-type": "application/json",
    "user-agent": "Forgeline-Webhook/1",
    "x-svc-event": delivery.kind,
    "x-svc-delivery": delivery.id,
    "x-svc-sequence": String(delivery.number),
    ...signatureHeaders(endpoint.secrets, { deliveryId: delivery.id, timestamp, body }),
  };
}

/** A code of ours; anything else is our own fault, and said as such. */
function problemOf(error: Error): string {
  return error instanceof OutboundError ? error.reason : "unreachable";
}

const maxHeaderLength = 2_000;

function shownHeaders({ headers }: PostResponse): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .slice(0, 100)
      .map(([name, value]) => [storableText(name), storableText(value.slice(0, maxHeaderLength))]),
  );
}
