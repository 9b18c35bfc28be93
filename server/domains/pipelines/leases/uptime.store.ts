/**
 * Server up-time as the database sees it: servers mark themselves, and a span without any mark moves `up_since`. Leases are
 * measured from the later of their renewal and `up_since`, so an outage of the server never costs a runner its job.
 */
import type { Database } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { UptimeRows } from "./uptime.rows.ts";

export const statements = defineStatements<UptimeRows>({
  markUptime: `
    with marked as (
      insert into server_heartbeats (server_id) values ($1)
      on conflict (server_id) do update set seen_at = now()
    ), swept as (
      delete from server_heartbeats where seen_at < now() - interval '1 day'
    )
    update server_uptime set seen_at = greatest(seen_at, now()),
      up_since = case when seen_at < now() - $2 * interval '1 millisecond' then now() else up_since end`,
  forgetServer: "delete from server_heartbeats where server_id = $1",
});

export async function markUptime(db: Database, serverId: string, gapMs: number): Promise<void> {
  await db.query(statements.markUptime, [serverId, gapMs]);
}

export async function forgetServer(db: Database, serverId: string): Promise<void> {
  await db.query(statements.forgetServer, [serverId]);
}
