/**
 * Follows the log watch socket of one run in a page of the instance. A page cannot send a header when it opens a socket,
 * so each connection asks for a one-use ticket first.
 */
import type { BrowserClient } from "./browser-client.ts";
import { ForgelineApiError } from "./errors.ts";
import {
  busyUntil,
  followWatch,
  narrowWatch,
  WatchRefusedError,
  type WatchConnection,
  type WatchHandlers,
  type WatchOptions,
  type WatchOutcome,
  type WatchResult,
} from "./watch-session.ts";

export interface BrowserWatchRequest extends WatchOptions {
  api: BrowserClient;
  /** Of the page; an instance may have several names, and a page may only reach its own. */
  origin: string;
  owner: string;
  repo: string;
  /** Id or number of the run. */
  pipeline: string;
  job?: string;
  attempt?: number;
}

interface Ticket {
  url: string;
  protocols: string[];
}

/**
 * Resolves when the run is final and all its bytes were handed over; rejects with WatchRefusedError when the viewer may
 * not see it (any more), for example because the session has ended (401).
 */
export function watchLogsInBrowser(
  request: BrowserWatchRequest,
  handlers: WatchHandlers,
): Promise<WatchResult> {
  return followWatch((connection) => watchOnce(request, connection), handlers, request);
}

async function watchOnce(request: BrowserWatchRequest, connection: WatchConnection): Promise<WatchOutcome> {
  const ticket = await getTicket(request);
  if ("kind" in ticket) return ticket;
  const address = new URL(new URL(ticket.url).pathname, request.origin.replace(/^http/, "ws"));
  // Nothing is sent that a page already has.
  address.searchParams.set("resume", "true");
  // Browsers cannot read it.
  address.searchParams.set("zstd", "false");
  return overSocket(new WebSocket(narrowWatch(address, request), ticket.protocols), request, connection);
}

/** How it went instead, when there is none now but may be later. */
async function getTicket(request: BrowserWatchRequest): Promise<Ticket | WatchOutcome> {
  const { api, owner, repo, pipeline, signal } = request;
  try {
    const { data } = await api.POST("/repos/{owner}/{repo}/pipelines/{id}/logs/stream-tickets", {
      params: { path: { owner, repo, id: pipeline } },
      ...(signal && { signal }),
    });
    return data ?? lost("no ticket");
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ForgelineApiError)) return lost((error as Error).message);
    const { status, message, retryAfter } = error;
    if (status === 429) return busyUntil(message, retryAfter);
    if (status >= 400 && status < 500) throw new WatchRefusedError(status, message);
    return lost(message);
  }
}

function lost(why: string): WatchOutcome {
  return { kind: "lost", why, progressed: false };
}

function overSocket(
  socket: WebSocket,
  { signal }: BrowserWatchRequest,
  connection: WatchConnection,
): Promise<WatchOutcome> {
  socket.binaryType = "arraybuffer";
  const abort = () => socket.close();
  signal?.addEventListener("abort", abort, { once: true });
  return new Promise((resolve, reject) => {
    socket.addEventListener("open", () => socket.send(connection.greeting()));
    socket.addEventListener("message", (event) => {
      const data: unknown = event.data;
      if (signal?.aborted) return;
      if (typeof data === "string") connection.text(data);
      else if (data instanceof ArrayBuffer) connection.bytes(new Uint8Array(data));
    });
    socket.addEventListener("close", ({ code, reason }) => {
      signal?.removeEventListener("abort", abort);
      try {
        signal?.throwIfAborted();
        resolve(connection.closed(code, reason, "connection lost"));
      } catch (error) {
        reject(error as Error);
      }
    });
  });
}
