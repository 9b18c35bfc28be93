/** Limits the time of one exchange over HTTPS, in all and without the client sending or reading. */
import type { ServerResponse } from "node:http";

export interface TimeLimits {
  idleMs: number;
  wholeMs: number;
}

/**
 * Cuts the connection at a time limit, unless the answer is complete; processes then end as for any client that disconnects.
 */
export function limitTime(res: ServerResponse, { idleMs, wholeMs }: TimeLimits): void {
  // Then nobody would be told that it has closed.
  if (res.closed) return;
  const whole = setTimeout(() => res.destroy(), wholeMs);
  res.once("close", () => clearTimeout(whole));
  // Node counts every byte that the socket takes or gives, and has a limit of its own for connections between requests.
  res.setTimeout(idleMs, () => res.destroy());
}

/** Aborts when the client no longer waits for the answer. */
export function clientGone(res: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const left = () => gone.abort(new Error("the client is gone"));
  // The client may have disconnected while it was authenticated.
  if (res.closed || res.destroyed) left();
  else res.once("close", left);
  return gone.signal;
}
