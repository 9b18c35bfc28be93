/**
 * How many requests of one user or address this process works on at a time. A caller who sends hundreds at once waits for their own, in
 * the order in which they came, instead of everybody for them: connections to the database are few, and serve whoever asked first.
 */
import type { ServerResponse } from "node:http";
import { AppError, retryLater } from "../app-error.ts";
import type { Counter } from "prom-client";
import type { Metrics } from "../metrics.ts";
import { createCounter, createGauge } from "../declared-metrics.ts";
import type { RequestSlotLimits } from "../../config/request.ts";

export interface RequestSlots {
  /**
   * Resolves with what gives the slot back. Throws `rate_limit_exceeded` where too many of `key` wait, or have for too long, and
   * `unavailable` when `res` is closed meanwhile.
   */
  enter(key: string, res: ServerResponse): Promise<() => void>;
}

interface Line {
  running: number;
  /** In order of arrival. */
  waiting: Set<() => void>;
}

const retryAfterSeconds = 5;

export function createRequestSlots(limits: RequestSlotLimits, registry: Metrics): RequestSlots {
  const lines = new Map<string, Line>();
  const refused = slotMetrics(registry, lines);

  function lineOf(key: string): Line {
    let line = lines.get(key);
    if (!line) lines.set(key, (line = { running: 0, waiting: new Set() }));
    return line;
  }

  /** A long line moves one by one: each that is worked on makes everybody else's answer later. */
  function hasRoom({ running, waiting }: Line): boolean {
    return running < (waiting.size > limits.longLine ? 1 : limits.atOnce);
  }

  function take(key: string, line: Line): () => void {
    line.running += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      line.running -= 1;
      admitNext(line);
      if (line.running === 0) lines.delete(key);
    };
  }

  function admitNext(line: Line): void {
    for (const next of line.waiting) {
      if (!hasRoom(line)) return;
      next();
    }
  }

  function refuse(): AppError {
    refused.inc();
    const message = `Too many of your requests are waiting. At most ${limits.atOnce} are processed at a time; send fewer at once.`;
    return retryLater(message, retryAfterSeconds);
  }

  function wait(key: string, line: Line, res: ServerResponse): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        line.waiting.delete(next);
        clearTimeout(timer);
        res.off("close", giveUp);
      };
      const giveUp = () => {
        stop();
        admitNext(line);
        reject(new AppError("unavailable"));
      };
      const timer = setTimeout(() => {
        stop();
        admitNext(line);
        reject(refuse());
      }, limits.waitMs);
      const next = () => {
        stop();
        resolve(take(key, line));
      };
      line.waiting.add(next);
      res.once("close", giveUp);
    });
  }

  return {
    async enter(key, res) {
      // Its `close` has come and gone.
      if (res.closed) throw new AppError("unavailable");
      const line = lineOf(key);
      if (hasRoom(line)) return take(key, line);
      if (line.waiting.size >= limits.maxWaiting) throw refuse();
      return wait(key, line, res);
    },
  };
}

/** Gives what counts refusals. */
function slotMetrics(registry: Metrics, lines: ReadonlyMap<string, Line>): Counter {
  createGauge(registry, "forgeline_http_requests", (gauge) => {
    const all = [...lines.values()];
    gauge.set(
      { state: "running" },
      all.reduce((sum, { running }) => sum + running, 0),
    );
    gauge.set(
      { state: "waiting" },
      all.reduce((sum, { waiting }) => sum + waiting.size, 0),
    );
  });
  return createCounter(registry, "forgeline_http_requests_refused_total");
}
