/**
 * Tells other servers, by `NOTIFY log`, that streams grew or ended. Growth is announced at most every 50 ms, for all streams
 * together in one transaction; the first time at once. A lost notification does no harm: the next one names a later offset, and
 * watchers read again when their listening connection is back.
 */
import type { Database } from "../../../platform/db/database.ts";
import type { Logger } from "../../../platform/logger.ts";

const intervalMs = 50;

export interface LogNotifier {
  stored(streamId: string, nextOffset: number): void;
  ended(streamId: string): void;
  /** Sends pending notifications. */
  close(): Promise<void>;
}

export function createLogNotifier(db: Database, logger: Logger): LogNotifier {
  const due = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  async function send(): Promise<void> {
    const payloads = [...due].map(([streamId, what]) => `${streamId}:${what}`);
    due.clear();
    try {
      await db.transaction(async (tx) => {
        for (const payload of payloads) await tx.notify("log", payload);
      });
    } catch (error) {
      logger.warn({ error: (error as Error).message }, "could not notify other servers of new log bytes");
    }
  }

  function schedule(): void {
    if (timer || sending) return;
    sending = send().finally(() => {
      sending = undefined;
      timer = setTimeout(() => {
        timer = undefined;
        if (due.size > 0) schedule();
      }, intervalMs).unref();
    });
  }

  return {
    stored(streamId, nextOffset) {
      if (due.get(streamId) !== "eof") due.set(streamId, String(nextOffset));
      schedule();
    },
    ended(streamId) {
      due.set(streamId, "eof");
      schedule();
    },
    async close() {
      clearTimeout(timer);
      await sending;
      if (due.size > 0) await send();
    },
  };
}
