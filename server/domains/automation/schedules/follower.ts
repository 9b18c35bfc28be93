/** Follows what happens to default branches for the schedules of their files, and starts the runs of all schedules at their times. */
import type { Database } from "../../../platform/db/database.ts";
import { followAll } from "../../../platform/events/follow.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { Follower } from "../events/follower-runner.ts";
import { repeat } from "../events/repeat.ts";
import { findNext } from "./due.store.ts";
import { markTouched } from "./marks.store.ts";
import type { StartDue } from "./start-due.ts";

export interface ScheduleFollowerDeps {
  db: Database;
  logger: Logger;
  readFiles(): Promise<number>;
  startDue: StartDue;
}

const batch = 500;
/** For notifications that were missed. */
const pollMs = 2_000;
const what = "schedules";
const longestWaitMs = 30_000;
const busyMs = 250;

export function createScheduleFollower(deps: ScheduleFollowerDeps): Follower {
  const { db } = deps;

  /** Gives how long nothing is to be done. */
  async function readMarked(): Promise<number> {
    await followAll(db, {
      follower: "schedules",
      limit: batch,
      write: (tx, events) =>
        markTouched(
          tx,
          events.map(({ position }) => position),
        ),
    });
    return (await deps.readFiles()) > 0 ? 0 : pollMs;
  }

  async function start(signal: AbortSignal): Promise<number> {
    const made = await deps.startDue(signal);
    if (made === "busy") return busyMs;
    if (made > 0) return 0;
    const next = await findNext(db);
    return next === null ? longestWaitMs : Math.min(Math.max(0, next.getTime() - Date.now()), longestWaitMs);
  }

  return {
    async run(signal) {
      await Promise.all([
        repeat(deps, { what, channel: "event", signal, work: readMarked }),
        repeat(deps, { what, channel: "schedule", signal, work: start }),
      ]);
    },
  };
}
