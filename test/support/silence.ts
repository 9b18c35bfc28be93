/** Silence of runners, as the database has it: nobody waits for a lease to run out, and none does because a machine is slow. */
import pg from "pg";
import { eventually } from "./eventually.ts";
import type { TestInstance } from "./instance.ts";

/**
 * As if nothing had been heard of a run's leases for `time`, with a server up all the while. Resolves when a server has drawn its
 * conclusions: `1 minute` makes attempts unreachable, `1 hour` is longer than any lease. For instances with one server.
 */
export async function silence(instance: TestInstance, runId: string, time: string): Promise<void> {
  const client = new pg.Client({ connectionString: instance.database.url });
  await client.connect();
  const rounds = async () =>
    (await client.query("select seen_at::text as at from server_uptime")).rows[0].at as string;
  const nextRound = async () => {
    const before = await rounds();
    await eventually(async () => (await rounds()) !== before, { timeoutMs: 40_000 });
  };
  try {
    // What a runner had sent before it fell silent may still arrive, and a server that was held up counts its time anew.
    await eventually(
      async () => {
        await client.query("update server_uptime set up_since = now() - interval '1 day'");
        const { rows } = await client.query(
          `update job_attempts set lease_renewed_at = now() - $2::interval
           where pipeline_id = $1 and state = 'leased' returning unreachable`,
          [runId, time],
        );
        return rows.every((row) => row.unreachable as boolean);
      },
      { timeoutMs: 40_000, intervalMs: 100 },
    );
    // One that is under way may have looked before; the next is over when another begins.
    await nextRound();
    await nextRound();
  } finally {
    await client.end();
  }
}
