/** Removing an object of the daemon, which may be busy with it, or may not have it any more. */
import { setTimeout as delay } from "node:timers/promises";
import type { EngineContext } from "./context.ts";
import { daemonMessage, statusOf } from "./daemon.ts";

/** 409: its removal is under way, or a part that uses it is just going. */
export async function removeWithRetries(
  context: Pick<EngineContext, "daemon">,
  remove: () => Promise<unknown>,
): Promise<void> {
  for (let pauseMs = 20; ; pauseMs *= 2) {
    try {
      await context.daemon.ask(remove);
      return;
    } catch (error) {
      if (statusOf(error) === 404) return;
      const busy =
        statusOf(error) === 409 || /active endpoints|in use|in progress/.test(daemonMessage(error));
      if (!busy || pauseMs > 10_000) throw error;
    }
    await delay(pauseMs);
  }
}
