/** Spans as OTLP has them. Pure. */
import { JsonTraceSerializer, ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import type { TraceSettings } from "../../../config/traces.ts";
import type { Span } from "./span.ts";

type ReadableSpan = Parameters<typeof ProtobufTraceSerializer.serializeRequest>[0][number];

export const contentTypes = {
  "http/protobuf": "application/x-protobuf",
  "http/json": "application/json",
} as const;

const serializers = { "http/protobuf": ProtobufTraceSerializer, "http/json": JsonTraceSerializer } as const;

/** OpenTelemetry's numbers: of a span within one program, of the outcomes, and of a trace that is recorded. */
const [internal, unset, ok, failed, sampled] = [0, 0, 1, 2, 1];

export function encodeSpans(
  spans: readonly Span[],
  { encoding, serviceName }: Pick<TraceSettings, "encoding" | "serviceName">,
): Uint8Array {
  const resource = { attributes: { "service.name": serviceName } } as unknown as ReadableSpan["resource"];
  const bytes = serializers[encoding].serializeRequest(spans.map((span) => readable(span, resource)));
  if (!bytes) throw new Error("spans could not be encoded");
  return bytes;
}

/**
 * Of an answer to spans that were accepted: how many of them were not, and why. Nothing where it says so of none, or is no answer of
 * OTLP: then the status alone counts.
 */
export function rejectedIn(
  answer: Uint8Array,
  encoding: TraceSettings["encoding"],
): { count: number; message: string } | undefined {
  try {
    const { rejectedSpans = 0, errorMessage = "" } =
      serializers[encoding].deserializeResponse(answer).partialSuccess ?? {};
    // In JSON, 64 bits are a text.
    const count = Number(rejectedSpans);
    return count > 0 ? { count, message: errorMessage } : undefined;
  } catch {
    return undefined;
  }
}

function readable(span: Span, resource: ReadableSpan["resource"]): ReadableSpan {
  const { traceId } = span;
  const context = (id: string, of = traceId) => ({ traceId: of, spanId: id, traceFlags: sampled });
  return {
    name: span.name,
    kind: internal,
    spanContext: () => context(span.spanId),
    ...(span.parentId === null ? {} : { parentSpanContext: context(span.parentId) }),
    startTime: time(span.startMs),
    endTime: time(span.endMs),
    duration: time(span.endMs - span.startMs),
    ended: true,
    status: {
      code: span.ok === null ? unset : span.ok ? ok : failed,
      ...(span.ok === false ? { message: span.message } : {}),
    },
    attributes: span.attributes,
    links: span.links.map((link) => ({
      context: context(link.spanId, link.traceId),
      attributes: link.attributes,
    })),
    events: [],
    resource,
    instrumentationScope: { name: "forgeline" },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  } as ReadableSpan;
}

/** Seconds and nanoseconds. */
function time(milliseconds: number): [number, number] {
  return [Math.floor(milliseconds / 1000), (milliseconds % 1000) * 1_000_000];
}
