/**
 * The one client for addresses that users choose. `https` only; the name is resolved once, refused if any of its
 * addresses is not public, and what was checked is what is dialled. No redirect is followed, nothing is decompressed,
 * and time and size of the answer are bounded.
 */
import { lookup } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { request, type RequestOptions } from "node:https";
import type { IncomingMessage } from "node:http";
import { isIP, type LookupFunction } from "node:net";
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";
import type { AddressRanges } from "../network/address-ranges.ts";
import type { Logger } from "../logger.ts";
import { OutboundError } from "./outbound-error.ts";
import type { OutboundSettings } from "../../config/outbound.ts";
import { isPublicAddress } from "./public-address.ts";

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
}

export interface ResolvedAddress {
  address: string;
  family: number;
}

export interface OutboundDeps {
  /** Addresses that may be dialled although they are not public. */
  allowed: AddressRanges;
  /** PEM of authorities that are trusted in addition to the public ones. */
  extraCa: string | undefined;
  logger: Pick<Logger, "warn">;
  resolve?: (host: string) => Promise<ResolvedAddress[]>;
}

/** Reads the file of further authorities, hence asynchronous. */
export async function openOutbound(config: OutboundSettings, logger: Logger): Promise<Outbound> {
  const extraCa = config.caFile === undefined ? undefined : await readFile(config.caFile, "utf8");
  return createOutbound({ allowed: config.allowed, extraCa, logger });
}

export function createOutbound(deps: OutboundDeps): Outbound {
  const resolve = deps.resolve ?? ((host: string) => lookup(host, { all: true }));
  const secureContext = deps.extraCa === undefined ? undefined : contextThatTrusts(deps.extraCa);

  async function checkedAddresses(host: string): Promise<ResolvedAddress[]> {
    const family = isIP(host);
    const found = family > 0 ? [{ address: host, family }] : await resolve(host).catch(() => []);
    const bad = found.find(({ address }) => !isPublicAddress(address) && !deps.allowed.contains(address));
    if (bad) deps.logger.warn({ host, address: bad.address }, "an outbound request was refused");
    // Alike for a name that leads inside and for one that leads nowhere: the answer would tell what is inside.
    if (bad || found.length === 0)
      throw new OutboundError("no_public_address", `${host} has no public address.`);
    return found;
  }

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
  };
}

/** Made once: reading all public authorities takes tens of milliseconds. */
function contextThatTrusts(authority: string): SecureContext {
  return createSecureContext({ ca: [...getCACertificates("default"), authority] });
}

function parseAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" || url.username !== "" || url.password !== "")
    throw new OutboundError(
      "address",
      "The address must be of the form https://HOST/PATH, without a user name.",
    );
  return url;
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

/** Nothing is resolved a second time. */
function fixedLookup(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? "", first?.family ?? 4);
  };
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

function toOutboundError(error: unknown, host: string): Error {
  if (error instanceof OutboundError || error instanceof TypeError) return error;
  const { code = "", name } = error as NodeJS.ErrnoException;
  if (name === "TimeoutError" || name === "AbortError")
    return new OutboundError("timeout", `${host} did not respond in time.`, { cause: error });
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/.test(code))
    return new OutboundError("untrusted_certificate", `The certificate of ${host} is not trusted here.`, {
      cause: error,
    });
  return new OutboundError("unreachable", `${host} could not be reached.`, { cause: error });
}
