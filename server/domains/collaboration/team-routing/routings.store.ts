/** Reads and writes where notifications of teams go. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { teamReadsSql } from "../../policy/domain.ts";
import type { RoutingsRows } from "./routings.rows.ts";
import { vouchedSql } from "./vouched.store.ts";

// An address for which nobody who manages the team stands any more is as one that is not confirmed.
const state = `case when g.address_state = 'confirmed' and not ${vouchedSql({ team: "t", routing: "g" })} then 'unconfirmed'
  else g.address_state end as address_state`;
const columns = `g.rules, g.address, ${state}, g.set_by, g.asked_since, g.asked_count, g.digest, g.digest_at, g.time_zone, g.quiet_from,
  g.quiet_to, g.quiet_days, g.updated_at`;
const reads = teamReadsSql({ team: "t", repository: "r" });

const found = `select ${columns} from team_routings g join teams t on t.id = g.team_id where g.team_id = $1`;

export const statements = defineStatements<RoutingsRows>({
  find: found,
  // Links in mails lock only this row: an address that somebody ends meanwhile is not written back as it was.
  findToChange: `${found} for no key update of g`,
  // Two changes of one team's routing come one after the other, also of the first.
  lock: "select id from teams where id = $1 for no key update",
  put: `
    insert into team_routings (team_id, rules, address, address_state, asked_since, asked_count, digest, digest_at, time_zone, quiet_from,
      quiet_to, quiet_days, set_by)
    values ($1, $2::jsonb, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::text[], $13)
    on conflict (team_id) do update set rules = excluded.rules, address = excluded.address, address_state = excluded.address_state,
      asked_since = excluded.asked_since, asked_count = excluded.asked_count, digest = excluded.digest, digest_at = excluded.digest_at,
      time_zone = excluded.time_zone, quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, quiet_days = excluded.quiet_days,
      set_by = excluded.set_by, updated_at = now()`,
  findRepositories: `
    select r.id, lower(rn.name) as name from teams t join repositories r on r.owner_id = t.organization_id
      join repository_names rn on rn.repository_id = r.id
    where t.id = $1 and lower(rn.name) = any ($2::text[]) and ${reads}`,
  namesOf: `
    select r.id, rn.name from teams t join repositories r on r.owner_id = t.organization_id
      join repository_names rn on rn.repository_id = r.id
    where t.id = $1 and r.id = any ($2::text[]) and ${reads}`,
  listHidden: `
    select r.id from teams t join repositories r on r.owner_id = t.organization_id
    where t.id = $1 and r.id = any ($2::text[]) and not ${reads}`,
  // Whoever is in a nested team belongs to it, too.
  belongs: `
    select 1 as found from team_members m join teams t on t.id = m.team_id
    where m.user_id = $2 and t.lineage @> array[$1]::text[] limit 1`,
  findAddress: `
    select t.organization_id, n.full_name as team, g.address, g.address_state, g.asked_since, g.asked_count
    from team_routings g join teams t on t.id = g.team_id join team_names n on n.team_id = t.id
    where g.team_id = $1 for no key update of g`,
  setAddressState: "update team_routings set address_state = $2, updated_at = now() where team_id = $1",
});

export type RoutingRow = RowOf<typeof statements.find>;
export type StoredRouting = Omit<RoutingRow, "updated_at">;
export type AddressRow = RowOf<typeof statements.findAddress>;

export function findRouting(db: Queryable, teamId: string): Promise<RoutingRow | undefined> {
  return db.one(statements.find, [teamId]);
}

/** Locked until the transaction ends, with the team, so that there may be no row yet. */
export async function findToChange(tx: Transaction, teamId: string): Promise<RoutingRow | undefined> {
  await tx.query(statements.lock, [teamId]);
  return tx.one(statements.findToChange, [teamId]);
}

export async function putRouting(tx: Transaction, teamId: string, row: StoredRouting): Promise<void> {
  await tx.query(statements.put, [
    teamId,
    JSON.stringify(row.rules),
    row.address,
    row.address_state,
    row.asked_since,
    row.asked_count,
    row.digest,
    row.digest_at,
    row.time_zone,
    row.quiet_from,
    row.quiet_to,
    row.quiet_days,
    row.set_by,
  ]);
}

/** Of those of its organization that the team reads: ids by name in lower case. */
export async function idsByName(
  db: Queryable,
  teamId: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query(statements.findRepositories, [teamId, names]);
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** Of those that the team still reads: names by id. */
export async function namesById(
  db: Queryable,
  teamId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query(statements.namesOf, [teamId, ids]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Of those of its organization that the team reads no more: they are not shown, and may come back. */
export async function listHidden(
  tx: Transaction,
  teamId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.query(statements.listHidden, [teamId, ids]);
  return new Set(rows.map(({ id }) => id));
}
