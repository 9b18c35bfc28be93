/**
 * A request whose body, or whose response, is too large to keep: bytes as they come. The same rules hold as for every request to
 * others' servers.
 */
import { request, type RequestOptions } from "node:https";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { SecureContext } from "node:tls";
import type { AddressCheck } from "./checked-addresses.ts";
import { fixedLookup } from "./fixed-lookup.ts";
import { OutboundError, toOutboundError } from "./outbound-error.ts";
import { parseAddress } from "./parse-address.ts";

export interface ExchangeRequest {
  method: "GET" | "POST" | "PUT";
  headers: Readonly<Record<string, string>>;
  body?: Readable;
  signal: AbortSignal;
  /** Nothing comes or goes for so long: it is given up. */
  idleMs: number;
}

export interface ExchangeResponse {
  status: number;
  contentType: string;
  /** By their names in lower case. */
  headers: IncomingHttpHeaders;
  /** Reading it throws OutboundError. The reader bounds what it takes, and ends it by leaving. */
  body: AsyncIterable<Buffer>;
}

export interface ExchangeDeps {
  checkedAddresses: AddressCheck;
  secureContext: SecureContext | undefined;
}

/** Resolves with a response of any status, redirects too. Throws OutboundError. */
export async function exchangeStreams(
  deps: ExchangeDeps,
  text: string,
  { method, headers, body, signal, idleMs }: ExchangeRequest,
): Promise<ExchangeResponse> {
  const url = parseAddress(text);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = await deps.checkedAddresses(host);
  const { secureContext } = deps;
  try {
    const response = await send(url, body, {
      method,
      agent: false,
      signal,
      timeout: idleMs,
      lookup: fixedLookup(addresses),
      headers: { ...headers, "accept-encoding": "identity" },
      ...(secureContext ? { secureContext } : {}),
    });
    const encoding = response.headers["content-encoding"] ?? "identity";
    if (encoding.toLowerCase() !== "identity") {
      response.destroy();
      throw new OutboundError(
        "answer_encoded",
        "The response is compressed although that was not requested.",
      );
    }
    const { statusCode: status = 0, headers: answered } = response;
    const contentType = answered["content-type"] ?? "";
    return { status, contentType, headers: answered, body: bytesOf(response, host) };
  } catch (error) {
    throw toOutboundError(error, host);
  }
}

function send(url: URL, body: Readable | undefined, options: RequestOptions): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sending = request(url, options, resolve);
  sending.on("timeout", () =>
    sending.destroy(new OutboundError("timeout", `${url.hostname} did not respond in time.`)),
  );
  sending.on("error", reject);
  if (body) {
    body.on("error", () => sending.destroy());
    body.pipe(sending);
  } else sending.end();
  return promise;
}

async function* bytesOf(response: IncomingMessage, host: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    throw toOutboundError(error, host);
  } finally {
    response.destroy();
  }
}
