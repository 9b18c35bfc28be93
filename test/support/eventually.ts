/** Waits for a condition by asking again; the only way in which tests wait. */
import { setTimeout as sleep } from "node:timers/promises";

export interface EventuallyOptions {
  timeoutMs?: number;
  /** Until it is asked again. Default: a tenth of what has been waited, 20 to 250 ms, since each question costs the answerer, too. */
  intervalMs?: number;
}

/**
 * Resolves with the first result that is neither undefined nor false. An assertion that throws counts as "not yet".
 * Rejects with the last failure when time is up.
 */
export async function eventually<T>(
  condition: () => T | Promise<T>,
  options: EventuallyOptions = {},
): Promise<Exclude<T, undefined | false>> {
  const began = performance.now();
  const deadline = began + (options.timeoutMs ?? 15_000);
  let last: unknown = new Error("the condition did not come true");
  do {
    try {
      const value = await condition();
      if (value !== undefined && value !== false) return value as Exclude<T, undefined | false>;
    } catch (error) {
      last = error;
    }
    await sleep(options.intervalMs ?? Math.min(250, Math.max(20, (performance.now() - began) / 10)));
  } while (performance.now() < deadline);
  throw last;
}
