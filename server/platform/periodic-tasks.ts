/**
 * Periodic tasks: work that servers do by themselves from time to time. A service says which it has, `server/periodic-tasks.ts`
 * lists them all, and they run for as long as the process.
 */
import type { Lifecycle } from "./lifecycle.ts";
import type { Logger } from "./logger.ts";

export interface PeriodicTask {
  /** For log lines: words joined by `_`. */
  name: string;
  everyMs: number;
  /** Also at once when the process starts. */
  atStart: boolean;
  /** Every server does it, several perhaps at once, and again after a crash. What takes long ends when the signal is aborted. */
  run(signal: AbortSignal): Promise<unknown>;
}

export interface PeriodicTasks extends Lifecycle {
  start(): void;
  close(): Promise<void>;
}

/** Each task runs one time after the other, beside the others. One that fails is told to the log, and waits for its next time. */
export function createPeriodicTasks(tasks: readonly PeriodicTask[], logger: Logger): PeriodicTasks {
  const running = new Map<PeriodicTask, Promise<void>>();
  let timers: NodeJS.Timeout[] = [];
  let ending = new AbortController();
  const begin = (task: PeriodicTask) => {
    if (running.has(task)) return;
    const work = task
      .run(ending.signal)
      .catch((error: Error) =>
        logger.warn(
          { task: task.name, error: error.message },
          "a periodic task failed; it will be tried again",
        ),
      )
      .then(() => void running.delete(task));
    running.set(task, work);
  };
  return {
    start() {
      if (timers.length > 0) return;
      ending = new AbortController();
      timers = tasks.map((task) => setInterval(begin, task.everyMs, task).unref());
      for (const task of tasks) if (task.atStart) begin(task);
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      timers = [];
      ending.abort();
      await Promise.all(running.values());
    },
  };
}
