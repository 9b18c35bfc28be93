/**
 * The one client for addresses that users choose. `https` only; the name is resolved once, refused if any of its
 * addresses is not public, and what was checked is what is dialled. No redirect is followed, nothing is decompressed,
 * and time and size of the answer are bounded.
 */
import { readFile } from "node:fs/promises";
import { request, type RequestOptions } from "node:https";
import type { IncomingMessage } from "node:http";
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";
import type { Logger } from "../logger.ts";
import {
  createAddressCheck,
  mayDial,
  type AddressCheckDeps,
  type ResolvedAddress,
} from "./checked-addresses.ts";
import { openConnections, type ConnectionOptions, type Connections } from "./connections.ts";
import { exchangeStreams, type ExchangeRequest, type ExchangeResponse } from "./exchange.ts";
import { dialTls, type TlsConnection, type TlsTarget } from "./dial-tls.ts";
import { fixedLookup } from "./fixed-lookup.ts";
import { OutboundError, toOutboundError } from "./outbound-error.ts";
import { parseAddress } from "./parse-address.ts";
import type { OutboundSettings } from "../../config/outbound.ts";

const totalMs = 10_000;
const maxBytes = 256 * 1024;

export interface OutboundRequest {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
}

export interface Outbound {
  /** As `fetch` with `redirect: "manual"`. Throws OutboundError. Text, bytes and form fields are sent as bodies. */
  fetch(url: string, options: OutboundRequest): Promise<Response>;
  /** With bodies of any size, as they come. Resolves with any status. Throws OutboundError. */
  exchange(url: string, request: ExchangeRequest): Promise<ExchangeResponse>;
  /** Connections that are kept between requests to one endpoint; the same rules hold for each. */
  connect(options: ConnectionOptions): Connections;
  /** A connection for another protocol than HTTP, with TLS. Throws OutboundError. */
  dialTls(target: TlsTarget): Promise<TlsConnection>;
  /** Whether requests may go to an IP address. */
  mayDial(address: string): boolean;
  /** For programs that dial by themselves: the addresses of a host, of which no other may be dialled. Throws OutboundError. */
  addressesOf(host: string): Promise<ResolvedAddress[]>;
}

export interface OutboundDeps extends AddressCheckDeps {
  /** PEM of authorities that are trusted in addition to the public ones. */
  extraCa: string | undefined;
}

/** Reads the file of further authorities, hence asynchronous. */
export async function openOutbound(config: OutboundSettings, logger: Logger): Promise<Outbound> {
  const extraCa = config.caFile === undefined ? undefined : await readFile(config.caFile, "utf8");
  return createOutbound({ allowed: config.allowed, extraCa, logger });
}

export function createOutbound(deps: OutboundDeps): Outbound {
  const secureContext = deps.extraCa === undefined ? undefined : contextThatTrusts(deps.extraCa);
  const checkedAddresses = createAddressCheck(deps);

  return {
    async fetch(text, options) {
      const url = parseAddress(text);
      const host = url.hostname.replace(/^\[|\]$/g, "");
      const deadline = AbortSignal.timeout(totalMs);
      const addresses = await inTime(checkedAddresses(host), deadline, host);
      const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
      const more = {
        agent: false,
        signal,
        lookup: fixedLookup(addresses),
        ...(secureContext ? { secureContext } : {}),
      } as const;
      try {
        return await exchange(url, options, more);
      } catch (error) {
        throw toOutboundError(error, host);
      }
    },
    exchange: (url, request) => exchangeStreams({ checkedAddresses, secureContext }, url, request),
    connect: (options) => openConnections({ checkedAddresses, secureContext }, options),
    dialTls: (target) => dialTls({ checkedAddresses, secureContext }, target),
    mayDial: (address) => mayDial(deps.allowed, address),
    addressesOf: (host) => inTime(checkedAddresses(host), AbortSignal.timeout(totalMs), host),
  };
}

/** Made once: reading all public authorities takes tens of milliseconds. */
function contextThatTrusts(authority: string): SecureContext {
  return createSecureContext({ ca: [...getCACertificates("default"), authority] });
}

/** Looking a name up cannot be aborted; nobody waits for it longer than for the rest. */
async function inTime<T>(work: Promise<T>, deadline: AbortSignal, host: string): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_resolve, reject) => {
      const late = () => reject(new OutboundError("timeout", `${host} did not respond in time.`));
      deadline.addEventListener("abort", late, { once: true });
    }),
  ]);
}

function exchange(url: URL, options: OutboundRequest, more: RequestOptions): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const body = bodyOf(options.body);
  const headers: Record<string, string> = { ...options.headers, "accept-encoding": "identity" };
  if (body) headers["content-length"] = String(body.length);
  if (options.body instanceof URLSearchParams)
    headers["content-type"] ??= "application/x-www-form-urlencoded;charset=UTF-8";
  const sending = request(url, { method: options.method, headers, ...more }, (answer) => {
    readAnswer(answer).then(resolve, (error: unknown) => {
      answer.destroy();
      reject(error as Error);
    });
  });
  sending.on("error", reject);
  sending.end(body);
  return promise;
}

function bodyOf(body: unknown): Buffer | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === "string" || body instanceof URLSearchParams) return Buffer.from(String(body));
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) return Buffer.from(new Uint8Array(body));
  throw new TypeError("a body is text, bytes or form fields");
}

async function readAnswer(answer: IncomingMessage): Promise<Response> {
  const encoding = answer.headers["content-encoding"] ?? "identity";
  if (encoding.toLowerCase() !== "identity")
    throw new OutboundError("answer_encoded", "The response is compressed although that was not requested.");
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new OutboundError("answer_too_large", "The response is too large.");
    chunks.push(chunk);
  }
  const status = answer.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  const empty = status === 204 || status === 205 || status === 304;
  return new Response(empty ? null : Buffer.concat(chunks), { status, headers });
}
