/** What could not be removed at the first try, such as the files of a job that made ten million of them: tried again until it is gone. */
import { setTimeout as delay } from "node:timers/promises";

export interface RemovalQueue {
  /** Tries again later, one after the other. Never rejects. */
  add(jobKey: string): void;
  /** Tries no more; what is left is swept at the next start. Resolves at once. */
  close(): void;
}

export interface RemovalQueueOptions {
  remove: (jobKey: string) => Promise<unknown>;
  /** Pauses double from the first to the last. */
  firstPauseMs: number;
  lastPauseMs: number;
}

export function createRemovalQueue(options: RemovalQueueOptions): RemovalQueue {
  const waiting = new Set<string>();
  const closed = new AbortController();
  let working = false;

  async function work(): Promise<void> {
    let pauseMs = options.firstPauseMs;
    while (waiting.size > 0) {
      await delay(pauseMs, undefined, { signal: closed.signal, ref: false });
      pauseMs = Math.min(pauseMs * 2, options.lastPauseMs);
      for (const jobKey of waiting) {
        const failed = await options.remove(jobKey).then(
          () => false,
          () => true,
        );
        if (failed) continue;
        waiting.delete(jobKey);
        pauseMs = options.firstPauseMs;
      }
    }
  }

  return {
    add(jobKey) {
      waiting.add(jobKey);
      if (working) return;
      working = true;
      const rest = (): void => {
        working = false;
      };
      work().then(rest, rest);
    },
    close: () => closed.abort(),
  };
}
