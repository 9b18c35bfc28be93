/** The end of a process: whatever it waits for, it is gone in time, and says what it did not wait for any longer. */
import type { Logger } from "./logger.ts";

export interface ProcessEnd {
  logger: Pick<Logger, "error">;
  /** What is closed, in the words of the log line. */
  what: string;
  withinMs: number;
}

/**
 * Ends the process with 0 once `close` has resolved, without looking who still holds a socket or a timer; with 1 when
 * that takes longer than `withinMs` or fails. What the process knows is in the database by then: whoever comes next
 * continues from there.
 */
export async function endProcess(close: () => Promise<void>, end: ProcessEnd): Promise<never> {
  setTimeout(() => {
    const open = Map.groupBy(process.getActiveResourcesInfo(), (kind) => kind);
    const waiting = Object.fromEntries([...open].map(([kind, { length }]) => [kind, length]));
    end.logger.error(
      { waiting_ms: end.withinMs, open: waiting },
      `${end.what} did not end in time; it is cut short`,
    );
    process.exit(1);
  }, end.withinMs).unref();
  try {
    await close();
  } catch (error) {
    end.logger.error({ error: (error as Error).message }, `${end.what} could not be closed`);
    process.exit(1);
  }
  process.exit(0);
}
