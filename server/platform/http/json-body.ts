/** Reads a JSON request body: size and number of members first, type and text strictly, nothing decompressed. */
import type { IncomingMessage } from "node:http";
import { AppError } from "../app-error.ts";
import { countTokens, memberTokens } from "../json-tokens.ts";

/** The longest lists that anything takes have a thousand entries. */
const maxMembers = 10_000;
const bodyTimeoutMs = 60_000;

/**
 * The bytes of the body. Throws `payload_too_large`, and `bad_request` when it does not come in time, since a JSON body
 * that trickles in only holds a connection; the connection is closed after either answer.
 */
export async function readBody(
  req: IncomingMessage,
  limitBytes: number,
  timeoutMs = bodyTimeoutMs,
): Promise<Buffer> {
  const tooLarge = () =>
    new AppError("payload_too_large", { message: `The body can have at most ${limitBytes} bytes.` });
  if (Number(req.headers["content-length"] ?? 0) > limitBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(tooSlow(timeoutMs)), timeoutMs);
  // The connection is still needed for the answer.
  const iterator = req.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), late.promise]);
      if (next.done === true) break;
      size += next.value.length;
      if (size > limitBytes) throw tooLarge();
      chunks.push(next.value);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("bad_request", { message: "The body ended early.", cause: error });
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks, size);
}

function tooSlow(timeoutMs: number): AppError {
  return new AppError("bad_request", {
    message: `The body did not arrive within ${timeoutMs / 1000} seconds.`,
  });
}

/** Throws `unsupported_media_type` unless an existing body says that it is JSON in UTF-8, not compressed. */
export function requireJson(req: IncomingMessage): void {
  const [type = "", ...parameters] = (req.headers["content-type"] ?? "").toLowerCase().split(";");
  const charset = parameters.map((p) => p.trim()).find((p) => p.startsWith("charset="));
  const encoding = req.headers["content-encoding"] ?? "identity";
  if (
    type.trim() !== "application/json" ||
    (charset && !/^charset="?utf-8"?$/.test(charset)) ||
    encoding !== "identity"
  )
    throw new AppError("unsupported_media_type");
}

export function hasBody(req: IncomingMessage): boolean {
  return req.headers["transfer-encoding"] !== undefined || Number(req.headers["content-length"] ?? 0) > 0;
}

/** Throws `bad_request`, and `payload_too_large` for more fields and entries than anything needs. */
export function parseJson(bytes: Buffer): unknown {
  if (countTokens(bytes, memberTokens, maxMembers) > maxMembers) {
    const max = maxMembers.toLocaleString("en");
    throw new AppError("payload_too_large", {
      message: `The body can have at most ${max} fields and entries in total.`,
    });
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new AppError("bad_request", { message: "The body is not valid JSON.", cause: error });
  }
}
