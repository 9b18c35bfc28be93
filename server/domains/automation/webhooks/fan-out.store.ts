/** Turns events into deliveries of the webhooks that want them. */
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { FanOutRows } from "./fan-out.rows.ts";

/** Of the webhooks that `wanted` names: two who lock several never wait for each other. */
export const lockedInOrder = `locked as materialized (
      select id as webhook_id from webhooks where id in (select webhook_id from wanted) order by id for no key update)`;

interface Known {
  /** `count` is in each member of the list. */
  takeNumbers: { first: number };
}

export const statements = defineStatements<FanOutRows, Known>({
  match: `
    with given as (
      select e.position, e.kind, e.action, e.repository_id, e.organization_id, e.occurred_at from events e where e.position = any ($1::bigint[])
    ), wanting as (
      select w.id, w.event_kinds, w.created_at, g.* from given g join webhooks w on w.repository_id = g.repository_id where w.active
      union all
      select w.id, w.event_kinds, w.created_at, g.* from given g join webhooks w on w.organization_id = g.organization_id where w.active
    )
    select id, position, kind, action from wanting where kind = any (event_kinds) and occurred_at >= created_at order by id, position`,
  insertDeliveries: `
    insert into webhook_deliveries (id, webhook_id, number, event_position, event, action, test)
    select d.id, d.webhook_id, d.number, d.event_position, d.event, d.action, d.test
    from jsonb_to_recordset($1::jsonb)
      as d(id text, webhook_id text, number bigint, event_position bigint, event text, action text, test boolean)`,
  takeNumbers: `
    with wanted as (select * from jsonb_to_recordset($1::jsonb) as t(webhook_id text, count int)), ${lockedInOrder}
    update webhooks w set next_number = w.next_number + t.count
    from wanted t join locked using (webhook_id) where w.id = t.webhook_id returning w.id, w.next_number - t.count as first`,
});

/** Active webhooks that want some of the events, each with these, in order. */
export function match(tx: Transaction, positions: readonly number[]) {
  return tx.query(statements.match, [positions]);
}

export interface NewDelivery {
  id: string;
  webhook_id: string;
  number: number;
  event_position: number;
  event: string;
  action: string;
  test: boolean;
}

export async function insertDeliveries(tx: Transaction, deliveries: readonly NewDelivery[]): Promise<void> {
  await tx.query(statements.insertDeliveries, [JSON.stringify(deliveries)]);
}

/** The first of so many consecutive numbers, by webhook. */
export async function takeNumbers(
  tx: Transaction,
  wanted: readonly { webhook_id: string; count: number }[],
): Promise<Map<string, number>> {
  const rows = await tx.query(statements.takeNumbers, [JSON.stringify(wanted)]);
  return new Map(rows.map(({ id, first }) => [id, first]));
}
