/** The outbox table: what is due, fairly between groups (column `repository_id`), and what became of it. */
import type { Queryable, Transaction } from "../db/database.ts";
import { defineStatements } from "../db/statement.ts";
import type { OutboxItem } from "./outbox.ts";
import type { OutboxRows } from "./outbox.rows.ts";

export const statements = defineStatements<OutboxRows>({
  // Whoever holds the lock of a key's first item owns the key: another relay that skips it takes none of its later ones. The lock may
  // come just after another relay has put the item off: what is locked is looked at once more, as it is then.
  takeDue: `
    with heads as (
      select distinct on (key) id, repository_id, not_before from outbox where not parked order by key, id
    ), ranked as (
      select id, row_number() over (partition by repository_id order by id) as turn from heads where not_before <= now()
    ), taken as (
      select o.id, o.key from outbox o join ranked r on r.id = o.id where not o.parked and o.not_before <= now()
      order by r.turn, r.id limit $1 for update of o skip locked
    )
    select o.id, o.key, o.payload, o.attempts from taken t join outbox o on o.key = t.key
    where not o.parked order by o.id limit 2000`,
  removeItems: "delete from outbox where id = any($1)",
  putOff: `
    update outbox set attempts = attempts + 1, last_error = left($2, 2000), parked = attempts + 1 >= $3,
      not_before = now() + least(30000, 100 * 2 ^ attempts) * interval '1 millisecond'
    where id = $1 returning parked`,
  insertItem: "insert into outbox (kind, key, repository_id, payload) values ($1, $2, $3, $4)",
  countDue: `
    select count(*)::int as due from (select from outbox where not parked and not_before <= now() limit $1) d`,
  countItems: `
    select count(*) filter (where not parked) as waiting, count(*) filter (where parked) as parked from outbox`,
});

/** All waiting items of at most `keys` keys, by key in order; they are this transaction's until it ends. */
export async function takeDue(tx: Transaction, keys: number): Promise<Map<string, OutboxItem[]>> {
  const byKey = new Map<string, OutboxItem[]>();
  for (const item of await tx.query(statements.takeDue, [keys])) {
    const items = byKey.get(item.key);
    if (items) items.push(item);
    else byKey.set(item.key, [item]);
  }
  return byKey;
}

export async function removeItems(tx: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await tx.query(statements.removeItems, [ids]);
}

/** Tries it again later (doubling, at most 30 s), or never again when it has failed `maxAttempts` times. */
export async function putOff(
  tx: Transaction,
  failed: { id: number; error: string; maxAttempts: number },
): Promise<{ parked: boolean }> {
  const row = await tx.one(statements.putOff, [failed.id, failed.error, failed.maxAttempts]);
  return { parked: row?.parked ?? false };
}

export async function insertItem(
  tx: Transaction,
  item: { kind: string; key: string; group: string; payload: string },
): Promise<void> {
  await tx.query(statements.insertItem, [item.kind, item.key, item.group, item.payload]);
}

export async function countItems(db: Queryable): Promise<{ waiting: number; parked: number }> {
  return (await db.one(statements.countItems)) ?? { waiting: 0, parked: 0 };
}

/** How many items could be handed over now; counts to the limit. */
export async function countDue(db: Queryable, limit: number): Promise<number> {
  return (await db.one(statements.countDue, [limit]))?.due ?? 0;
}
