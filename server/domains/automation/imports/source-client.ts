/**
 * Reads the API of another host: one address, no redirects, bounded answers. What the host asks to wait for is said, not waited for.
 */
import { outboundErrorIn, type OutboundReason } from "../../../platform/outbound/outbound-error.ts";
import type { ExchangeResponse } from "../../../platform/outbound/exchange.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import { SourceProblem, SourceUnavailable } from "./source-problem.ts";

export type SourceAnswer =
  /** `after`: what the address of the next page names instead of a page. */
  | { kind: "page"; json: unknown; hasNext: boolean | undefined; after: string | null }
  /** The host refuses the address: a list may have fewer pages than it has records. */
  | { kind: "refused" }
  /** The host allows no more requests for now. */
  | { kind: "wait"; ms: number }
  /** The repository does not have what was asked for, or the token may not see it. */
  | { kind: "absent"; status: number };

export interface SourceClient {
  /** `path` is relative to the API. Throws `SourceProblem`, `SourceUnavailable`, and the signal's reason. */
  get(path: string, signal: AbortSignal): Promise<SourceAnswer>;
}

export interface SourceAccess {
  apiUrl: string;
  /** For people. */
  host: string;
  token: string | null;
}

const maxAnswerBytes = 8 * 1024 * 1024;
const idleMs = 30_000;
const wholeMs = 120_000;
const minWaitMs = 1_000;
/** GitHub counts by the hour. */
const maxWaitMs = 65 * 60 * 1000;
const lasting: readonly OutboundReason[] = [
  "address",
  "no_public_address",
  "untrusted_certificate",
  "client_certificate",
  "answer_encoded",
];

export function createSourceClient(
  outbound: Pick<Outbound, "exchange">,
  { apiUrl, host, token }: SourceAccess,
): SourceClient {
  const headers = {
    accept: "application/json",
    "user-agent": "Forgeline",
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
  return {
    async get(path, signal) {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(wholeMs)]);
      try {
        const answer = await outbound.exchange(`${apiUrl}${path}`, {
          method: "GET",
          headers,
          signal: inTime,
          idleMs,
        });
        return await judge(answer, host);
      } catch (error) {
        signal.throwIfAborted();
        const found = outboundErrorIn(error);
        if (!found) throw error;
        throw lasting.includes(found.reason)
          ? new SourceProblem(found.message)
          : new SourceUnavailable(found.message);
      }
    },
  };
}

async function judge(answer: ExchangeResponse, host: string): Promise<SourceAnswer> {
  const { status, headers } = answer;
  if (status === 200) {
    const json = await readJson(answer, host);
    return { kind: "page", json, ...nextOf(headers.link) };
  }
  await drop(answer);
  const ms = waitOf(status, headers, Date.now());
  if (ms !== undefined) return { kind: "wait", ms };
  if (status === 401) throw new SourceProblem(`${host} did not accept the token.`);
  if (status === 403 || status === 404 || status === 410) return { kind: "absent", status };
  if (status >= 300 && status < 400)
    throw new SourceProblem(
      `${host} redirects to another address. The repository may have been renamed: use its present name.`,
    );
  if (status === 422) return { kind: "refused" };
  if (status >= 500) throw new SourceUnavailable(`${host} answered with status ${status} again and again.`);
  throw new SourceProblem(`${host} answered with status ${status}.`);
}

type Headers = ExchangeResponse["headers"];

const maxCursorLength = 1_000;

/** What `Link` says of the next page (RFC 8288). Of its address only the cursor is taken. Exported for its test. */
export function nextOf(link: Headers[string]): { hasNext: boolean | undefined; after: string | null } {
  if (link === undefined) return { hasNext: undefined, after: null };
  const next = String(link)
    .split(/,(?=\s*<)/)
    .find((each) => /;\s*rel="?next"?/.test(each));
  const query = /<[^>?]*\?([^>#]*)/.exec(next ?? "")?.[1];
  const after = new URLSearchParams(query).get("after") ?? "";
  return {
    hasNext: next !== undefined,
    after: after !== "" && after.length <= maxCursorLength ? after : null,
  };
}

/** Until requests are allowed again; undefined where the answer is about something else. Exported for its test. */
export function waitOf(status: number, headers: Headers, now: number): number | undefined {
  const asked = String(headers["retry-after"] ?? "");
  const left = headers["x-ratelimit-remaining"] ?? headers["ratelimit-remaining"];
  if (status !== 429 && !(status === 403 && (asked !== "" || left === "0"))) return undefined;
  const reset = Number(headers["x-ratelimit-reset"] ?? headers["ratelimit-reset"]) * 1_000 - now;
  const seconds = /^\d{1,9}$/.test(asked) ? Number(asked) * 1_000 : Date.parse(asked) - now;
  const ms = Number.isFinite(seconds) ? seconds : Number.isFinite(reset) ? reset : 60_000;
  return Math.min(Math.max(ms, minWaitMs), maxWaitMs);
}

/** Ends the connection. */
async function drop({ body }: ExchangeResponse): Promise<void> {
  for await (const _ of body) break;
}

async function readJson(answer: ExchangeResponse, host: string): Promise<unknown> {
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(answer.contentType)) {
    await drop(answer);
    throw new SourceProblem(
      `${host} answered with something other than JSON: its address may not be that of an API.`,
    );
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer.body) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) throw new SourceProblem(`An answer of ${host} is too large.`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8")) as unknown;
  } catch {
    throw new SourceProblem(`${host} answered with something that is no JSON.`);
  }
}
