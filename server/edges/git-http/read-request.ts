/** The whole request of a fetch over HTTPS, before it takes a slot: a client that has not said what it wants keeps nobody waiting. */
import type { Readable } from "node:stream";
import { AppError } from "../../platform/app-error.ts";
import { createByteBuffer } from "../../platform/git/processes/byte-buffer.ts";
import type { RequestMemory } from "../../platform/git/processes/request-memory.ts";
import { bodyProblem } from "./request-body.ts";

/** A client has a minute for this many bytes. */
const bytesOfMinute = 1024 * 1024;

/** Throws `payload_too_large`, `bad_request`, `rate_limit_exceeded`, and `unavailable` if there is no memory for it. */
export async function readRequest(
  body: Readable,
  room: RequestMemory,
  minuteMs: number = 60_000,
): Promise<Buffer> {
  const request = createByteBuffer();
  const slow = new AppError("bad_request", { message: "The request was not received within a minute." });
  const late = setTimeout(() => body.destroy(slow), minuteMs);
  let whole = bytesOfMinute;
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      room.grow(request.size() + chunk.length);
      request.add(chunk);
      if (request.size() < whole) continue;
      whole += bytesOfMinute;
      late.refresh();
    }
  } catch (error) {
    throw bodyProblem(error);
  } finally {
    clearTimeout(late);
  }
  return request.take();
}
