/**
 * Sends events to webhooks: follows the events, makes deliveries, and tries each for the first time. Runs in one worker at a time
 * (`docs/architecture/events.md`); if two do for a moment, some deliveries are sent twice under their ids.
 */
import type { Database } from "../../../platform/db/database.ts";
import { followOnce } from "../../../platform/events/follow.ts";
import type { Logger } from "../../../platform/logger.ts";
import { crashPoint } from "../../../platform/crash-point.ts";
import { fanOut } from "./fan-out.ts";
import { createLanes, type LanesDeps } from "./lanes.ts";
import { addRetryIntent } from "./retry-intents.ts";
import { listOverdue, listUnsent } from "./sending.store.ts";

export interface WebhookSender {
  /** Until the signal is aborted; what is under way is finished and recorded. */
  run(signal: AbortSignal): Promise<void>;
}

const batch = 500;
/** For notifications that were missed. */
const pollMs = 2_000;
const sweepMs = 60_000;

export function createWebhookSender(deps: LanesDeps & { db: Database; logger: Logger }): WebhookSender {
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
      const events = createDoorbell(signal);
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

/** Rings that come while nobody waits are kept, as one. */
function createDoorbell(signal: AbortSignal) {
  let rung = false;
  let answer: (() => void) | undefined;
  const ring = () => {
    rung = true;
    answer?.();
  };
  signal.addEventListener("abort", ring);
  return {
    ring,
    async wait(ms: number): Promise<void> {
      if (!rung) {
        const { promise, resolve } = Promise.withResolvers<void>();
        answer = resolve;
        const timer = setTimeout(resolve, ms);
        await promise;
        clearTimeout(timer);
        answer = undefined;
      }
      rung = signal.aborted;
    },
  };
}
