/** Follows the ends of runs: counts each for the statistics, and has its trace sent. */
import type { Database } from "../../../platform/db/database.ts";
import { followAll } from "../../../platform/events/follow.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { RunStatistics } from "../../pipelines/domain.ts";
import type { Follower } from "../events/follower-runner.ts";
import { repeat } from "../events/repeat.ts";
import { readEnded } from "./ended-runs.store.ts";
import type { TraceSender } from "./sender.ts";

export interface RunFollowerDeps {
  db: Database;
  logger: Logger;
  statistics: RunStatistics;
  traces: TraceSender;
}

const batch = 200;
/** For notifications that were missed. */
const pollMs = 2_000;

export function createRunFollower(deps: RunFollowerDeps): Follower {
  const { db, statistics, traces } = deps;

  async function count(): Promise<number> {
    await followAll(db, {
      follower: "runs",
      limit: batch,
      async write(tx, events) {
        const ends = events.filter(({ kind, action }) => kind === "pipeline" && action === "finished");
        if (ends.length === 0) return;
        const runs = await readEnded(
          tx,
          ends.map(({ position }) => position),
        );
        await statistics.record(tx, runs);
        await traces.add(tx, runs);
      },
    });
    return pollMs;
  }

  return {
    async run(signal) {
      await Promise.all([
        repeat(deps, { what: "ends of runs", channel: "event", signal, work: count }),
        // By itself, so that an endpoint that does not answer holds up no statistics.
        repeat(deps, { what: "traces of runs", channel: "event", signal, work: traces.send }),
      ]);
    },
  };
}
