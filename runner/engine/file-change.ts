/** Waiting for something that shows in a directory: told by the file system at once, polled in case it was not. */
import { watch, type FSWatcher } from "node:fs";

export interface WhenChangedOptions {
  directory: string;
  pollMs: number;
  signal: AbortSignal;
}

/** Resolves with the first answer of `check` that is not null; rejects when aborted or when `check` throws. */
export async function whenChanged<T>(
  options: WhenChangedOptions,
  check: () => Promise<T | null>,
): Promise<T> {
  const { directory, pollMs, signal } = options;
  let wake: () => void = () => undefined;
  const nudge = (): void => wake();
  const watcher = watchQuietly(directory, nudge);
  signal.addEventListener("abort", nudge);
  try {
    for (;;) {
      signal.throwIfAborted();
      // Made before the check, so that a change during the check is not lost.
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const answer = await check();
      if (answer !== null) return answer;
      if (!signal.aborted) await changedOrLater(changed, pollMs);
    }
  } finally {
    signal.removeEventListener("abort", nudge);
    watcher?.close();
  }
}

async function changedOrLater(changed: Promise<void>, pollMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const later = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, pollMs);
  });
  await Promise.race([changed, later]);
  clearTimeout(timer);
}

/** Where the host has no watches left, polling alone must do. */
function watchQuietly(directory: string, onChange: () => void): FSWatcher | null {
  try {
    const watcher = watch(directory, { persistent: false }, onChange);
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return null;
  }
}
