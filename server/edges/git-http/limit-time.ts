/** How long one exchange over HTTPS may take, and how long it may continue with a client that neither sends nor reads. */
import type { ServerResponse } from "node:http";

export interface TimeLimits {
  idleMs: number;
  wholeMs: number;
}

/** Cuts the connection when the time is over, until the answer is complete; what runs for it then ends as for any client that goes. */
export function limitTime(res: ServerResponse, { idleMs, wholeMs }: TimeLimits): void {
  // Then nobody would be told that it has closed.
  if (res.closed) return;
  const whole = setTimeout(() => res.destroy(), wholeMs);
  res.once("close", () => clearTimeout(whole));
  // Node counts every byte that the socket takes or gives, and has a limit of its own for connections between requests.
  res.setTimeout(idleMs, () => res.destroy());
}

/** Aborted when nobody waits for the answer any more. */
export function clientGone(res: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const left = () => gone.abort(new Error("the client is gone"));
  // Clients may have gone while it was found out who they are.
  if (res.closed || res.destroyed) left();
  else res.once("close", left);
  return gone.signal;
}
