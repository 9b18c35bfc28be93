/**
 * Making and removing containers and networks keep a daemon busy for as long as each other. Jobs that are being
 * prepared go first; removing what is over, and making what may be needed, wait for a calm moment.
 */
import { setTimeout as delay } from "node:timers/promises";

export interface QuietTime {
  /** Runs `work` as what others wait for. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing has been prepared for a moment, and after some seconds in any case. */
  whenQuiet(): Promise<void>;
}

export interface QuietTimes {
  /** The next stage's job follows within some tens of milliseconds. */
  quietMs: number;
  patienceMs: number;
}

const usual: QuietTimes = { quietMs: 300, patienceMs: 3_000 };

export function createQuietTime({ quietMs, patienceMs }: QuietTimes = usual): QuietTime {
  let running = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    async during(work) {
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
        lastMs = performance.now();
      }
    },
    async whenQuiet() {
      const startedMs = performance.now();
      for (;;) {
        const quietSinceMs = Math.max(startedMs, lastMs);
        const waitMs = running > 0 ? quietMs : quietSinceMs + quietMs - performance.now();
        if (waitMs <= 0 || performance.now() - startedMs >= patienceMs) return;
        await delay(waitMs);
      }
    },
  };
}
