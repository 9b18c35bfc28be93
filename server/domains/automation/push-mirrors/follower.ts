/**
 * Follows what is pushed, and has it pushed on: however much is pushed while a sync runs, one follows it. Also begins again what has
 * failed, when its wait is over.
 */
import type { Database } from "../../../platform/db/database.ts";
import { followAll } from "../../../platform/events/follow.ts";
import type { Logger } from "../../../platform/logger.ts";
import { createWakeUp } from "../../../platform/wake-up.ts";
import type { Follower } from "../events/follower-runner.ts";
import { addPushScheduleIntent } from "./schedules.ts";
import { askForPushes, listDue } from "./push-syncs.store.ts";

const batch = 500;
/** For notifications that were missed. */
const pollMs = 2_000;
const sweepMs = 30_000;

export function createPushMirrorFollower({ db, logger }: { db: Database; logger: Logger }): Follower {
  async function askForAll(): Promise<void> {
    await followAll(db, {
      follower: "push_mirrors",
      limit: batch,
      async write(tx, events) {
        const pushes = events.filter(({ kind }) => kind === "push" || kind === "tag");
        if (pushes.length === 0) return;
        const asked = await askForPushes(
          tx,
          pushes.map(({ position }) => position),
        );
        for (const mirror of asked) await addPushScheduleIntent(tx, mirror, "sync");
      },
    });
  }

  async function tryAgain(): Promise<void> {
    for (const mirror of await listDue(db))
      await db.transaction((tx) => addPushScheduleIntent(tx, mirror, "sync"));
  }

  return {
    async run(signal) {
      const events = createWakeUp();
      let sweptAt = 0;
      signal.addEventListener("abort", events.openForGood);
      const stop = db.listen("event", events.ring);
      try {
        while (!signal.aborted) {
          try {
            await askForAll();
            if (Date.now() - sweptAt >= sweepMs) {
              await tryAgain();
              sweptAt = Date.now();
            }
          } catch (error) {
            logger.warn({ error: (error as Error).message }, "could not follow events; trying again");
          }
          await events.wait(pollMs);
        }
      } finally {
        stop();
      }
    },
  };
}
