/**
 * How many searches a process works on. They share one thread, so more at once would only make all of them slower; one caller gets
 * one at a time, so nobody waits for all searches of somebody else.
 */
import { AppError, retryLater } from "../../../../platform/app-error.ts";
import type { Subject } from "../../../../platform/access/subject.ts";

export interface SearchQueue {
  /**
   * Waits for a turn, in the order of arrival, and runs `work`. Throws `rate_limit_exceeded` when too many wait or it took too long,
   * `unavailable` when the client went.
   */
  run<T>(subject: Subject | null, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  counts(): { running: number; waiting: number };
}

export interface SearchQueueLimits {
  atOnce: number;
  maxWaiting: number;
  waitMs: number;
}

const retryAfterSeconds = 5;

interface Waiter {
  key: string;
  admit: () => void;
}

export function createSearchQueue(limits: SearchQueueLimits, onRefused: () => void): SearchQueue {
  const running = new Set<string>();
  const waiting = new Set<Waiter>();
  let count = 0;

  const hasRoom = (key: string) => count < limits.atOnce && !running.has(key);

  function take(key: string): void {
    count += 1;
    running.add(key);
  }

  function leave(key: string): void {
    count -= 1;
    running.delete(key);
    for (const waiter of waiting) if (hasRoom(waiter.key)) waiter.admit();
  }

  function refuse(): AppError {
    onRefused();
    return retryLater("Too many searches of logs are waiting. Try again in a moment.", retryAfterSeconds);
  }

  function wait(key: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        waiting.delete(waiter);
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
      };
      const giveUp = () => {
        stop();
        reject(new AppError("unavailable"));
      };
      const timer = setTimeout(() => {
        stop();
        reject(refuse());
      }, limits.waitMs);
      const waiter: Waiter = {
        key,
        admit() {
          stop();
          take(key);
          resolve();
        },
      };
      waiting.add(waiter);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  return {
    async run(subject, signal, work) {
      const key = subject?.key ?? "system";
      if (signal.aborted) throw new AppError("unavailable");
      if (hasRoom(key)) take(key);
      else if (waiting.size >= limits.maxWaiting) throw refuse();
      else await wait(key, signal);
      try {
        return await work();
      } finally {
        leave(key);
      }
    },
    counts: () => ({ running: count, waiting: waiting.size }),
  };
}
