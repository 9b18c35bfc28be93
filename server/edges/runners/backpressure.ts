/**
 * Back-pressure of one connection. A few of its messages are processed at a time, so that it uses no more than its share of the
 * database; while too many wait, nothing more is read, and the rest waits in the network.
 */
export interface Backpressure {
  /** In the order of the calls. The promise of `work` resolves when it is done, and never rejects. */
  add(work: () => Promise<void> | undefined, bytes: number): void;
}

export interface BackpressureLimits {
  atOnce: number;
  /** Nothing is read while so many are under way. */
  max: number;
}

/** A long message counts as several. */
const bytesOfOne = 16 * 1024;

export function createBackpressure(
  reader: { pause(): void; resume(): void },
  { atOnce, max }: BackpressureLimits,
): Backpressure {
  const queue: { work: () => Promise<void> | undefined; weight: number }[] = [];
  let running = 0;
  let waiting = 0;
  let isPaused = false;

  function finish(weight: number): void {
    waiting -= weight;
    if (!isPaused || waiting > max / 2) return;
    isPaused = false;
    reader.resume();
  }

  function workOn(): void {
    while (running < atOnce) {
      const next = queue.shift();
      if (!next) return;
      const done = next.work();
      if (!done) {
        finish(next.weight);
        continue;
      }
      running += 1;
      void done.then(() => {
        running -= 1;
        finish(next.weight);
        workOn();
      });
    }
  }

  return {
    add(work, bytes) {
      const weight = 1 + Math.floor(bytes / bytesOfOne);
      waiting += weight;
      if (!isPaused && waiting >= max) {
        isPaused = true;
        reader.pause();
      }
      queue.push({ work, weight });
      workOn();
    },
  };
}
