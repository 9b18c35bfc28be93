/** Keeps copying from taking the whole disk: so many bytes a second, and a break where it was faster. */
import { setTimeout as sleep } from "node:timers/promises";

export interface Throttle {
  /** To be called after each piece. Rejects with the signal's reason. */
  took(bytes: number): Promise<void>;
}

/** A rate of 0 is none. */
export function createThrottle(bytesPerSecond: number, signal: AbortSignal): Throttle {
  const startedAt = performance.now();
  let total = 0;
  return {
    async took(bytes) {
      signal.throwIfAborted();
      if (bytesPerSecond === 0) return;
      total += bytes;
      const aheadMs = (total / bytesPerSecond) * 1000 - (performance.now() - startedAt);
      if (aheadMs > 50) await sleep(aheadMs, undefined, { signal });
    },
  };
}
