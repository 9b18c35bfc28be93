/** Follows what happens to issues and merge requests, and has people told of it. */
import type { Database } from "../../../platform/db/database.ts";
import { followAll } from "../../../platform/events/follow.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { NotificationTeller } from "../../collaboration/domain.ts";
import type { Follower } from "../events/follower-runner.ts";
import { repeat } from "../events/repeat.ts";
import { kinds, readNews } from "./recorded-news.store.ts";

export interface NotificationFollowerDeps {
  db: Database;
  logger: Logger;
  teller: NotificationTeller;
}

const batch = 100;
/** For notifications that were missed, and for what was put off. */
const pollMs = 2_000;

export function createNotificationFollower(deps: NotificationFollowerDeps): Follower {
  const { db, teller } = deps;

  async function work(signal: AbortSignal): Promise<number> {
    await followAll(db, {
      follower: "notifications",
      limit: batch,
      async write(tx, events) {
        const told = events.filter(({ kind }) => isTold.has(kind));
        if (told.length > 0)
          await teller.take(
            tx,
            await readNews(
              tx,
              told.map(({ position }) => position),
            ),
          );
      },
    });
    await teller.tellDue(signal);
    return pollMs;
  }

  return {
    run: (signal) => repeat(deps, { what: "telling people of events", channel: "event", signal, work }),
  };
}

const isTold: ReadonlySet<string> = new Set(kinds);
