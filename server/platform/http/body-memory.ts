/**
 * How many bytes of request bodies this process has in memory, of one user or address and in all. Reserved before the first byte
 * is read, so that hundreds who send all but the last byte of a large body cannot fill it.
 */
import type { IncomingMessage } from "node:http";
import { defaultBodyBytes } from "@forgeline/schemas/core/route.ts";
import { AppError, retryLater } from "../app-error.ts";
import { createGauge } from "../declared-metrics.ts";
import type { Metrics } from "../metrics.ts";
import type { BodyLimits } from "../../config/request.ts";

export interface BodyMemory {
  /**
   * Gives what frees it, to be called when the request is over; a second call does nothing. Throws `rate_limit_exceeded` where
   * `key` has too much under way, and `unavailable` for a large one where all have.
   */
  reserve(key: string, bytes: number): () => void;
}

const retryAfterSeconds = 5;
const mib = 1024 * 1024;

type RoomGauge = "forgeline_http_body_bytes" | `forgeline_git_request_bytes_of_${"accounts" | "strangers"}`;

export function createBodyMemory(
  limits: BodyLimits,
  registry: Metrics,
  gauge: RoomGauge = "forgeline_http_body_bytes",
): BodyMemory {
  const reserved = new Map<string, number>();
  let inAll = 0;
  createGauge(registry, gauge, (now) => now.set(inAll));

  function change(key: string, bytes: number): void {
    inAll += bytes;
    const ofKey = (reserved.get(key) ?? 0) + bytes;
    if (ofKey > 0) reserved.set(key, ofKey);
    else reserved.delete(key);
  }

  return {
    reserve(key, bytes) {
      if ((reserved.get(key) ?? 0) + bytes > limits.ofOne) {
        const max = limits.ofOne / mib;
        throw retryLater(
          `Your concurrent requests add up to more than ${max} MiB. Send fewer at once.`,
          retryAfterSeconds,
        );
      }
      // Else a few who send large ones slowly, under many names, would keep everybody from changing anything.
      if (bytes > defaultBodyBytes && inAll + bytes > limits.inAll) {
        const message = "This server is receiving as much data as it can. Try again soon.";
        throw new AppError("unavailable", { message, retryAfterSeconds });
      }
      change(key, bytes);
      let isHeld = true;
      return () => {
        if (isHeld) change(key, -bytes);
        isHeld = false;
      };
    },
  };
}

/** What a body may become: as many bytes as it says, or as may be where it does not say. */
export function bytesToCome(req: IncomingMessage, limitBytes: number): number {
  const said = Number(req.headers["content-length"] ?? limitBytes);
  return Math.min(said, limitBytes);
}
