/** Does something again and again, and at once when a notification comes. */
import type { Database } from "../../../platform/db/database.ts";
import type { Logger } from "../../../platform/logger.ts";
import { createWakeUp } from "../../../platform/wake-up.ts";

const afterErrorMs = 2_000;

export interface Repeated {
  /** For the log. */
  what: string;
  /** A notification there ends a wait. */
  channel: "event" | "schedule";
  signal: AbortSignal;
  /** Gives how long to wait until it is done again, in milliseconds. */
  work(signal: AbortSignal): Promise<number>;
}

/** Until the signal is aborted. After an error it tries again. */
export async function repeat(
  { db, logger }: { db: Database; logger: Logger },
  { what, channel, signal, work }: Repeated,
): Promise<void> {
  const wakeUp = createWakeUp();
  signal.addEventListener("abort", wakeUp.openForGood);
  const stop = db.listen(channel, wakeUp.ring);
  try {
    while (!signal.aborted) {
      const waitMs = await work(signal).catch((error: unknown) => {
        logger.warn({ error: (error as Error).message }, `${what} cannot go on; trying again`);
        return afterErrorMs;
      });
      if (waitMs > 0) await wakeUp.wait(waitMs);
    }
  } finally {
    stop();
  }
}
