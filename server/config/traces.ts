/** Where traces of runs are sent: the names that OpenTelemetry gives these settings. */
import { readFileSync } from "node:fs";
import { z } from "zod";

const address = z
  .url({ protocol: /^https?$/ })
  .max(2_000)
  .optional();
const headers = z
  .string()
  .max(16_384)
  .regex(/^\s*([\w!#$%&'*+.^`|~-]+\s*=[^,\r\n]*)(,\s*[\w!#$%&'*+.^`|~-]+\s*=[^,\r\n]*)*\s*$/, {
    error: "must be name=value pairs, separated by commas",
  })
  .optional();

export const traceSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: address.describe(
    "Base address of an OTLP endpoint to which traces of runs are sent, such as `http://collector:4318`; `/v1/traces` is appended. Without it and the next one, none are.",
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address.describe(
    "Full address for traces, instead of the previous one.",
  ),
  OTEL_EXPORTER_OTLP_HEADERS: headers.describe(
    "Headers of each request, as `name=value,name=value`; values are percent-encoded.",
  ),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: headers.describe("The same for traces, instead of the previous ones."),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(["http/protobuf", "http/json"])
    .default("http/protobuf")
    .describe("Encoding of traces. gRPC is not supported."),
  OTEL_EXPORTER_OTLP_TIMEOUT: z.coerce
    .number()
    .int()
    .min(100)
    .max(60_000)
    .default(10_000)
    .describe("Milliseconds until a request is given up and repeated later."),
  OTEL_EXPORTER_OTLP_CERTIFICATE: z
    .string()
    .optional()
    .describe("PEM file of authorities that are trusted for the endpoint, instead of the public ones."),
  OTEL_SERVICE_NAME: z.string().max(255).default("forgeline").describe("`service.name` of the traces."),
};

export interface TraceSettings {
  /** Full address. */
  url: string;
  headers: Readonly<Record<string, string>>;
  encoding: "http/protobuf" | "http/json";
  timeoutMs: number;
  /** PEM. */
  authorities: string | undefined;
  serviceName: string;
}

/** Undefined: none are sent. Throws where the file of authorities cannot be read. */
export function toTraces(env: z.infer<z.ZodObject<typeof traceSettings>>): TraceSettings | undefined {
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const url = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base.replace(/\/+$/, "")}/v1/traces`);
  if (url === undefined) return undefined;
  const file = env.OTEL_EXPORTER_OTLP_CERTIFICATE;
  return {
    url,
    headers: parseHeaders(env.OTEL_EXPORTER_OTLP_TRACES_HEADERS ?? env.OTEL_EXPORTER_OTLP_HEADERS ?? ""),
    encoding: env.OTEL_EXPORTER_OTLP_PROTOCOL,
    timeoutMs: env.OTEL_EXPORTER_OTLP_TIMEOUT,
    authorities: file === undefined ? undefined : readFileSync(file, "utf8"),
    serviceName: env.OTEL_SERVICE_NAME,
  };
}

function parseHeaders(text: string): Record<string, string> {
  const pairs = text.split(",").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at < 0 ? [] : [[pair.slice(0, at).trim().toLowerCase(), decoded(pair.slice(at + 1).trim())]];
  });
  return Object.fromEntries(pairs) as Record<string, string>;
}

/** A value that is no valid encoding is meant as it stands. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
