/** One request to the endpoint that the operator has set: any address, also a private one and without TLS. */
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { TraceSettings } from "../../../config/traces.ts";
import { contentTypes } from "./encode-spans.ts";

export interface Sent {
  /** `refused`: sending it again would not help. */
  outcome: "accepted" | "refused" | "failed";
  /** For the log. */
  why: string;
}

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
    const { statusCode: status = 0 } = answer;
    answer.destroy();
    const failed = worthRetrying.has(status) ? "failed" : "refused";
    resolve({ outcome: status >= 200 && status < 300 ? "accepted" : failed, why: `status ${status}` });
  });
  sending.on("error", (error) => resolve({ outcome: "failed", why: error.message }));
  sending.end(body);
  return promise;
}
