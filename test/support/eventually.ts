/** Waits for a condition by asking again; the only way in which tests wait. */
import { setTimeout as sleep } from "node:timers/promises";

export interface EventuallyOptions {
  timeoutMs?: number;
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
  const deadline = performance.now() + (options.timeoutMs ?? 15_000);
  let last: unknown = new Error("the condition did not come true");
  do {
    try {
      const value = await condition();
      if (value !== undefined && value !== false) return value as Exclude<T, undefined | false>;
    } catch (error) {
      last = error;
    }
    await sleep(options.intervalMs ?? 20);
  } while (performance.now() < deadline);
  throw last;
}
