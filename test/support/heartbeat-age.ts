/** How old a runner's last heartbeat is, as the server has it, looked at again and again. */
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";

export interface HeartbeatAges {
  looks: number;
  /** The 99th hundredth. */
  p99Ms: number;
  maxMs: number;
}

const everyMs = 100;

/** Looks until it is told to stop. The clock is the database's, for the heartbeat as for the look. */
export async function watchHeartbeats(
  databaseUrl: string,
  runnerId: string,
): Promise<{ stop(): Promise<HeartbeatAges> }> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const ages: number[] = [];
  let isOver = false;
  const looking = (async () => {
    while (!isOver) {
      const { rows } = await database.query<{ ms: number }>(
        "select (extract(epoch from clock_timestamp() - last_seen_at) * 1000)::float8 as ms from runners where id = $1",
        [runnerId],
      );
      ages.push(rows[0]?.ms ?? Infinity);
      await pause(everyMs);
    }
  })();
  // Thrown by `stop`, not before somebody asks.
  looking.catch(() => undefined);
  return {
    async stop() {
      isOver = true;
      try {
        await looking;
      } finally {
        await database.end();
      }
      const sorted = ages.toSorted((a, b) => a - b);
      const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? Infinity);
      return { looks: ages.length, p99Ms: at(0.99), maxMs: at(1) };
    },
  };
}
