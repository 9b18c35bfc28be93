/**
 * How many logs each subject has open in this process, by sockets or as streams over REST. Each process counts its own: both
 * end with their process, so there is nothing to clean up.
 */
import { retryLater, type AppError } from "../../../platform/app-error.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import { createCounter } from "../../../platform/declared-metrics.ts";
import type { OpenLogLimits } from "../../../config/open-log.ts";
import type { Subject } from "../../../platform/access/subject.ts";

export interface OpenLogs {
  /**
   * Takes a place and returns a function that frees it, to be called when the log is closed; a second call does nothing. Throws
   * `rate_limit_exceeded` if all places of this subject are taken. `null` has no limit.
   */
  hold(subject: Subject | null): () => void;
}

/** Interval at which waiting callers try again, since it is not known when a place becomes free. */
export const retryAfterSeconds = 5;

export function createOpenLogs(limits: OpenLogLimits, registry: Metrics): OpenLogs {
  const open = new Map<string, number>();
  const refused = createCounter(registry, "forgeline_open_logs_refused_total");
  return {
    hold(subject) {
      const max = subject === null ? 0 : limits[subject.kind];
      if (subject === null || max === 0) return () => undefined;
      const { key, kind } = subject;
      const count = open.get(key) ?? 0;
      if (count >= max) {
        refused.inc({ whose: kind });
        throw tooManyOpen(kind, max);
      }
      open.set(key, count + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        const left = (open.get(key) ?? 1) - 1;
        if (left > 0) open.set(key, left);
        else open.delete(key);
      };
    },
  };
}

function tooManyOpen(whose: Subject["kind"], max: number): AppError {
  const message =
    whose === "user"
      ? `You have ${max} logs open, which is the limit. Close one to open another.`
      : `Your network address has ${max} logs open, which is the limit without signing in. Sign in, or close one.`;
  return retryLater(message, retryAfterSeconds);
}
