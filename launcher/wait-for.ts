/** Waits for a condition of another process, by asking again and again. */
import { setTimeout as sleep } from "node:timers/promises";

export interface WaitOptions {
  what: string;
  timeoutMs: number;
  intervalMs?: number;
  /** Stops the wait at once with the reason, for example when the process that is waited for has died. */
  signal?: AbortSignal | undefined;
}

/** Resolves with the first value that is not undefined; rejects when time is up, with the last error as cause. */
export async function waitFor<T>(probe: () => Promise<T | undefined>, options: WaitOptions): Promise<T> {
  const deadline = performance.now() + options.timeoutMs;
  let last: unknown;
  while (performance.now() < deadline) {
    options.signal?.throwIfAborted();
    try {
      const value = await probe();
      if (value !== undefined) return value;
    } catch (error) {
      last = error;
    }
    await sleep(options.intervalMs ?? 50, undefined, { signal: options.signal }).catch(() => undefined);
  }
  options.signal?.throwIfAborted();
  throw new Error(`${options.what} did not happen within ${options.timeoutMs / 1000} s`, { cause: last });
}
