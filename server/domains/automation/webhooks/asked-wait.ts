/** How long an endpoint asks us to wait, by `Retry-After` (RFC 9110 10.2.3). */
import type { PostResponse } from "../../../platform/outbound/connections.ts";
import { longestWaitMs } from "./delivery-states.ts";

const asks = new Set([429, 503]);

/** Milliseconds, an hour at most; 0 where it does not ask, or not in a form that we understand. */
export function askedWait(response: PostResponse | undefined, now: Date): number {
  const header = response && asks.has(response.status) ? response.headers["retry-after"]?.trim() : undefined;
  if (header === undefined) return 0;
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return Number.isNaN(waitMs) ? 0 : Math.min(Math.max(waitMs, 0), longestWaitMs);
}
