/**
 * Sends events to webhooks: follows the events, makes deliveries, and tries each for the first time. Runs in one worker at a time
 * (`docs/architecture/events.md`); if two do for a moment, some deliveries are sent twice under their ids.
 */
import { followOnce } from "../../../platform/events/follow.ts";
import { crashPoint } from "../../../platform/crash-point.ts";
import { createWakeUp } from "../../../platform/wake-up.ts";
import type { Follower } from "../events/follower-runner.ts";
import { fanOut } from "./fan-out.ts";
import { createLanes, type LanesDeps } from "./lanes.ts";
import { addRetryIntent } from "./retry-intents.ts";
import { listOverdue, listUnsent } from "./sending.store.ts";

const batch = 500;
/** For notifications that were missed. */
const pollMs = 2_000;
const sweepMs = 60_000;

/** What is under way when it is told to end is finished and recorded. */
export function createWebhookSender(deps: LanesDeps): Follower {
  const { db, logger } = deps;

  async function followAll(wake: (webhookId: string) => void): Promise<void> {
    for (;;) {
      const woken: string[] = [];
      const read = await followOnce(db, {
        follower: "webhooks",
        limit: batch,
        write: async (tx, events) => void woken.push(...(await fanOut(tx, events))),
      });
      crashPoint("webhook.fanned-out-before-sent");
      for (const id of woken) wake(id);
      if (read < batch) return;
    }
  }

  /** Finds what was left by a process that died, and what a restored backup knows and Temporal does not. */
  async function sweep(wake: (webhookId: string) => void): Promise<void> {
    for (const id of await listUnsent(db)) wake(id);
    for (const id of await listOverdue(db)) await db.transaction((tx) => addRetryIntent(tx, id));
  }

  return {
    async run(signal) {
      const lanes = createLanes(deps);
      const events = createWakeUp();
      signal.addEventListener("abort", events.openForGood);
      const stops = [db.listen("event", events.ring), db.listen("webhook", lanes.wake)];
      let sweptAt = 0;
      try {
        while (!signal.aborted) {
          try {
            await followAll(lanes.wake);
            if (Date.now() - sweptAt >= sweepMs) {
              await sweep(lanes.wake);
              sweptAt = Date.now();
            }
          } catch (error) {
            logger.warn({ error: (error as Error).message }, "could not follow events; trying again");
          }
          await events.wait(pollMs);
        }
      } finally {
        for (const stop of stops) stop();
        await lanes.close();
      }
    },
  };
}
