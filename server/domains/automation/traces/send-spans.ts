/** One request to the endpoint that the operator has set: any address, also a private one and without TLS. */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { TraceSettings } from "../../../config/traces.ts";
import { contentTypes, rejectedIn } from "./encode-spans.ts";

export interface Sent {
  /** `refused`: sending it again would not help. */
  outcome: "accepted" | "refused" | "failed";
  /** For the log. */
  why: string;
}

/** An answer of OTLP is a few bytes and a sentence; what is longer is none. */
const longestAnswer = 65_536;

/** As OTLP says; every other answer than success is final. */
const worthRetrying = new Set([408, 429, 502, 503, 504]);

/** Never throws for what the endpoint does. */
export function sendSpans(settings: TraceSettings, body: Uint8Array, signal: AbortSignal): Promise<Sent> {
  const { url, headers, encoding, timeoutMs, authorities } = settings;
  const { promise, resolve } = Promise.withResolvers<Sent>();
  const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const start = url.startsWith("https:") ? httpsRequest : httpRequest;
  const options = {
    method: "POST",
    headers: { ...headers, "content-type": contentTypes[encoding], "content-length": body.length },
    signal: ends,
    ...(authorities === undefined ? {} : { ca: authorities }),
  };
  const sending = start(url, options, (answer) => {
    void judge(answer, encoding).then(resolve);
  });
  sending.on("error", (error) => resolve({ outcome: "failed", why: error.message }));
  sending.end(body);
  return promise;
}

async function judge(answer: IncomingMessage, encoding: TraceSettings["encoding"]): Promise<Sent> {
  const { statusCode: status = 0, headers } = answer;
  const isFine = status >= 200 && status < 300;
  if (!isFine || headers["content-type"] !== contentTypes[encoding]) {
    answer.destroy();
    const failed = worthRetrying.has(status) ? "failed" : "refused";
    return { outcome: isFine ? "accepted" : failed, why: `status ${status}` };
  }
  const rejected = rejectedIn(await read(answer), encoding);
  if (!rejected) return { outcome: "accepted", why: "" };
  return { outcome: "refused", why: `${rejected.count} spans were rejected: ${rejected.message}` };
}

/** Empty where it is too long or breaks off: the spans have arrived all the same. */
async function read(answer: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > longestAnswer) return Buffer.alloc(0);
      chunks.push(chunk);
    }
  } catch {
    return Buffer.alloc(0);
  }
  return Buffer.concat(chunks);
}
