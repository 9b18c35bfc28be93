/** How many Git exchanges may be under way in this process, over whatever door: each is a process or two, and memory. */
import { AppError } from "../platform/app-error.ts";

export interface ExchangeSlots {
  /**
   * A place, once there is one, which the function that is given back frees; first come, first served. Throws
   * `unavailable` after `waitMs`.
   */
  take(waitMs?: number): Promise<() => void>;
}

const mostExchanges = 64;

export function createExchangeSlots(most: number = mostExchanges): ExchangeSlots {
  let free = most;
  const waiting = new Set<() => void>();

  function release(): void {
    free += 1;
    const [next] = waiting;
    next?.();
  }

  function place(): () => void {
    free -= 1;
    let held = true;
    return () => {
      if (held) release();
      held = false;
    };
  }

  return {
    async take(waitMs = 0) {
      if (free > 0) return place();
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(enter);
          reject(new AppError("unavailable", { retryAfterSeconds: 2 }));
        }, waitMs);
        const enter = () => {
          waiting.delete(enter);
          clearTimeout(timer);
          resolve(place());
        };
        waiting.add(enter);
      });
    },
  };
}
