/** Rows of `team_address_asks`: which addresses were asked to be confirmed, by whom, and which want to be asked no more. */
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { AsksRows } from "./asks.rows.ts";

export const statements = defineStatements<AsksRows>({
  // Until the transaction ends: two that count at once would both see room for one more.
  lock: "select pg_advisory_xact_lock(hashtext('team_address_asks')) is null as locked",
  count: `
    select coalesce(max(a.at) filter (where a.digest = $1 and a.what = 'asked') > now() - interval '1 minute', false) as just_now,
      count(*) filter (where a.digest = $1 and a.what = 'asked' and a.at > now() - interval '1 day') as of_address,
      count(*) filter (where a.actor_id = $2 and a.what = 'asked' and a.at > now() - interval '1 day') as of_actor,
      count(*) filter (where a.digest = $1 and a.what = 'ended') > 0 as has_ended
    from team_address_asks a where (a.digest = $1 or a.actor_id = $2) and a.at > now() - interval '30 days'`,
  insert: "insert into team_address_asks (digest, what, actor_id) values ($1, $2, $3)",
  removeOld: "delete from team_address_asks where at < now() - interval '30 days'",
});

export type AskedRow = RowOf<typeof statements.count>;

/** Nobody else counts or asks until the transaction ends. */
export async function countAsks(
  tx: Transaction,
  digest: string,
  actorId: string | null,
): Promise<AskedRow | undefined> {
  await tx.query(statements.lock, []);
  return tx.one(statements.count, [digest, actorId]);
}

/** Those that count no more go with it. */
export async function insertAsk(
  tx: Transaction,
  ask: { digest: string; what: "asked" | "ended"; actorId: string | null },
): Promise<void> {
  await tx.query(statements.removeOld, []);
  await tx.query(statements.insert, [ask.digest, ask.what, ask.actorId]);
}
