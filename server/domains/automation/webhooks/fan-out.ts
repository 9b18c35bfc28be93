/** The follower of events that makes deliveries (`docs/architecture/webhooks.md`). */
import type { Transaction } from "../../../platform/db/database.ts";
import type { EventRow } from "../../../platform/events/events.store.ts";
import { newId } from "../../../platform/ids.ts";
import { insertDeliveries, match, takeNumbers } from "./fan-out.store.ts";

/** In the transaction that moves the follower; the webhooks that have something new. */
export async function fanOut(tx: Transaction, events: readonly EventRow[]): Promise<string[]> {
  const matches = await match(
    tx,
    events.map(({ position }) => position),
  );
  const counts = new Map<string, number>();
  for (const { id } of matches) counts.set(id, (counts.get(id) ?? 0) + 1);
  if (counts.size === 0) return [];
  const wanted = [...counts].map(([webhook_id, count]) => ({ webhook_id, count }));
  const next = await takeNumbers(tx, wanted);
  const deliveries = matches.map(({ id, position, kind, action }) => {
    const number = next.get(id) ?? 0;
    next.set(id, number + 1);
    const event = { event_position: position, event: kind, action, test: false };
    return { id: newId("dlv"), webhook_id: id, number, ...event };
  });
  await insertDeliveries(tx, deliveries);
  return [...counts.keys()];
}

/** One event for one webhook, on request. The caller wakes whoever sends it. */
export async function addTestDelivery(
  tx: Transaction,
  webhookId: string,
  event: { position: number; kind: string; action: string },
): Promise<string> {
  const number = (await takeNumbers(tx, [{ webhook_id: webhookId, count: 1 }])).get(webhookId) ?? 0;
  const id = newId("dlv");
  const { position: event_position, kind, action } = event;
  const delivery = { id, webhook_id: webhookId, number, event_position, event: kind, action, test: true };
  await insertDeliveries(tx, [delivery]);
  return id;
}
