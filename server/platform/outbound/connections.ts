/**
 * Connections to one endpoint that are kept between requests. Each new one is dialled to an address that was checked for it,
 * and only so much of a response is read as the caller keeps.
 */
import { Agent, request, type RequestOptions } from "node:https";
import type { IncomingMessage } from "node:http";
import { isIP, type LookupFunction } from "node:net";
import { createSecureContext, type SecureContext } from "node:tls";
import type { AddressCheck } from "./checked-addresses.ts";
import { toOutboundError } from "./outbound-error.ts";
import { parseAddress } from "./parse-address.ts";

export interface ConnectionOptions {
  /** Requests at the same time. */
  max: number;
  /** PEM; if given, only certificates that this authority signed are accepted. Throws for what is no PEM. */
  authority?: string | undefined;
}

export interface Post {
  url: string;
  /** Default: POST. */
  method?: "POST" | "PUT";
  headers: Readonly<Record<string, string>>;
  body: string;
  /** More of the response is not read. */
  maxResponseBytes: number;
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface PostResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** More came, or the connection broke before its end. */
  truncated: boolean;
}

export interface Connections {
  /** Resolves when a response came, whatever its status. Throws OutboundError. */
  post(post: Post): Promise<PostResponse>;
  /** Ends idle connections, and those in use with their requests. */
  close(): void;
}

interface ConnectionDeps {
  checkedAddresses: AddressCheck;
  secureContext: SecureContext | undefined;
}

/** Less than after what servers usually close an idle connection. */
const idleMs = 4_000;

export function openConnections(deps: ConnectionDeps, options: ConnectionOptions): Connections {
  const agent = new Agent({
    keepAlive: true,
    maxSockets: options.max,
    maxFreeSockets: options.max,
    timeout: idleMs,
  });
  const secureContext =
    options.authority === undefined ? deps.secureContext : createSecureContext({ ca: options.authority });
  const shared: RequestOptions = {
    agent,
    lookup: lookupChecked(deps.checkedAddresses),
    ...(secureContext ? { secureContext } : {}),
  };

  async function post(wanted: Post): Promise<PostResponse> {
    const url = parseAddress(wanted.url);
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const deadline = AbortSignal.timeout(wanted.timeoutMs);
    const signal = wanted.signal ? AbortSignal.any([wanted.signal, deadline]) : deadline;
    try {
      // Node looks no address up, so a literal one is checked here.
      if (isIP(host) > 0) await deps.checkedAddresses(host);
      return await exchange(url, wanted, { ...shared, signal });
    } catch (error) {
      throw toOutboundError(error, host);
    }
  }
  return { post, close: () => agent.destroy() };
}

function lookupChecked(check: AddressCheck): LookupFunction {
  return (host, { all }, callback) => {
    void (async () => {
      try {
        const addresses = await check(host);
        const [first] = addresses;
        if (all) callback(null, addresses);
        else callback(null, first?.address ?? "", first?.family ?? 4);
      } catch (error) {
        callback(error as NodeJS.ErrnoException, "");
      }
    })();
  };
}

async function exchange(url: URL, post: Post, options: RequestOptions): Promise<PostResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const body = Buffer.from(post.body);
  const headers = {
    ...post.headers,
    "accept-encoding": "identity",
    "content-length": String(body.length),
  };
  const sending = request(url, { method: post.method ?? "POST", headers, ...options }, resolve);
  sending.on("error", reject);
  sending.end(body);
  try {
    return await readResponse(await promise, post.maxResponseBytes);
  } catch (error) {
    // The server closed a kept connection at the moment in which it was used: nothing was read from it, and a new one tells.
    if (sending.reusedSocket && (error as NodeJS.ErrnoException).code === "ECONNRESET")
      return exchange(url, post, options);
    throw error;
  }
}

/** A response that breaks off, or takes longer than it may, has a status all the same. */
async function readResponse(response: IncomingMessage, maxBytes: number): Promise<PostResponse> {
  const encoding = response.headers["content-encoding"] ?? "identity";
  const status = response.statusCode ?? 0;
  const headers = Object.fromEntries(
    Object.entries(response.headersDistinct).map(([name, values]) => [name, (values ?? []).join(", ")]),
  );
  if (encoding.toLowerCase() !== "identity") {
    response.destroy();
    return { status, headers, body: Buffer.alloc(0), truncated: true };
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  let truncated = false;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, maxBytes - bytes));
      bytes += chunk.length;
      truncated = bytes > maxBytes;
      if (truncated) break;
    }
  } catch {
    truncated = true;
  }
  // One that we have ended, because it took too long, throws nothing.
  truncated ||= !response.complete;
  if (truncated) response.destroy();
  return { status, headers, body: Buffer.concat(chunks), truncated };
}
