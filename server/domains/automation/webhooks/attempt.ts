/** One attempt of a delivery: a signed request, and what became of it. */
import type { Addresses } from "../../../platform/addresses.ts";
import { OutboundError } from "../../../platform/outbound/outbound-error.ts";
import type { PostResponse } from "../../../platform/outbound/connections.ts";
import { storableText } from "../../../platform/storable-text.ts";
import { askedWait } from "./asked-wait.ts";
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
  /** The endpoint asks for this pause; 0 where it does not. */
  askedMs: number;
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
  const exchange = await send(endpoint, delivery, addresses);
  const { response } = exchange;
  const durationMs = Date.now() - startedAt;
  const askedMs = askedWait(response, new Date());
  const accepted = response !== undefined && response.status >= 200 && response.status < 300;
  return {
    webhookId: endpoint.id,
    delivery_id: delivery.id,
    version: endpoint.version,
    accepted,
    durationMs,
    askedMs,
    wait_ms: Math.max(waitAfter(delivery.tries + 1, firstWaitMs), askedMs),
    attempt: {
      at: new Date(startedAt).toISOString(),
      duration_ms: durationMs,
      response_status: response?.status ?? null,
      error: accepted ? null : exchange.problem,
      request_headers: exchange.headers,
      response_headers: response ? shownHeaders(response) : null,
      response_body: response ? storableText(response.body.toString("utf8")) : null,
      truncated: response?.truncated ?? false,
    },
  };
}

interface Exchange {
  /** As they are shown. */
  headers: Record<string, string>;
  response: PostResponse | undefined;
  /** A code of ours for why it is not accepted, unless its status says that it is. */
  problem: string;
}

async function send(endpoint: Endpoint, delivery: WaitingDelivery, addresses: Addresses): Promise<Exchange> {
  let headers: Record<string, string> = {};
  try {
    const body = bodyOf(delivery, delivery, addresses);
    const signed = headersOf(endpoint, { delivery, body, timestamp: Math.floor(Date.now() / 1000) });
    const { url, authorization } = endpoint.target;
    headers = { ...signed, ...(authorization === undefined ? {} : { authorization: "***" }) };
    const sent = { ...signed, ...(authorization === undefined ? {} : { authorization }) };
    const post = { url, headers: sent, body, maxResponseBytes, timeoutMs };
    return { headers, response: await endpoint.connections.post(post), problem: "status" };
  } catch (error) {
    // Anything else is our own fault, and said as such.
    const problem = error instanceof OutboundError ? error.reason : "internal";
    return { headers, response: undefined, problem };
  }
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

const maxHeaderLength = 2_000;

function shownHeaders({ headers }: PostResponse): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .slice(0, 100)
      .map(([name, value]) => [storableText(name), storableText(value.slice(0, maxHeaderLength))]),
  );
}
