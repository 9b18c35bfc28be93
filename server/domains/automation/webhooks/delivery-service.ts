/** Deliveries as the owners of a webhook see them, send them once more, and try their endpoint. */
import type { Delivery, DeliverySummary, Redelivered } from "@forgeline/schemas/webhooks/resource.ts";
import type { DeliveryQuery, RedeliverMany } from "@forgeline/schemas/webhooks/shapes.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { recordAudit, type AuditEntry } from "../../operation/domain.ts";
import { bodyOf } from "./body.ts";
import type { CompleteEvent } from "./complete-event.ts";
import * as store from "./deliveries.store.ts";
import { addTestDelivery } from "./fan-out.ts";
import { pathsOf, placeOf, targetOfOwner, type HookOwner } from "./place.ts";
import { presentDelivery, presentDeliverySummary } from "./present.ts";
import { addRetryIntent } from "./retry-intents.ts";
import { findWebhook, type WebhookRow } from "./webhooks.store.ts";

/** A webhook of somebody; `not_found` is thrown where there is none. */
export interface HookAt {
  owner: HookOwner;
  id: string;
}

export interface DeliveryService {
  list(at: HookAt, query: DeliveryQuery): Promise<{ items: DeliverySummary[]; total: number }>;
  /** Throws `not_found`. */
  get(at: HookAt, deliveryId: string): Promise<Delivery>;
  /** Throws `conflict` where the webhook is switched off; so do the following. */
  ping(actor: Actor, at: HookAt): Promise<DeliverySummary>;
  /** The last event of the kind once more. Throws `conflict` also where there is none. */
  test(actor: Actor, at: HookAt, kind: string): Promise<DeliverySummary>;
  redeliver(actor: Actor, at: HookAt, deliveryId: string): Promise<DeliverySummary>;
  redeliverMany(actor: Actor, at: HookAt, wanted: RedeliverMany): Promise<Redelivered>;
}

export interface DeliveryServiceDeps {
  db: Database;
  addresses: Addresses;
  complete: CompleteEvent;
  /** Records a `ping` with the records of the owner; its position. */
  recordPing(tx: Transaction, actor: Actor, ping: { owner: HookOwner; subject: object }): Promise<number>;
}

export function createDeliveryService(deps: DeliveryServiceDeps): DeliveryService {
  const { db, addresses } = deps;

  async function hookAt(from: Database | Transaction, { owner, id }: HookAt): Promise<WebhookRow> {
    const row = await findWebhook(from, placeOf(owner), id);
    if (!row) throw new AppError("not_found");
    return row;
  }

  async function activeAt(tx: Transaction, at: HookAt): Promise<WebhookRow> {
    const row = await hookAt(tx, at);
    if (!row.active)
      throw new AppError("conflict", { message: "The webhook is switched off: switch it on first." });
    return row;
  }

  const placeOfDelivery = ({ owner, id }: HookAt) => ({ webhookId: id, paths: pathsOf(owner), addresses });

  async function show(at: HookAt, deliveryId: string): Promise<DeliverySummary> {
    const row = await store.findDelivery(db, at.id, deliveryId);
    if (!row) throw new AppError("not_found");
    return presentDeliverySummary(row, placeOfDelivery(at));
  }

  return {
    async list(at, query) {
      await hookAt(db, at);
      const { rows, total } = await store.listDeliveries(db, at.id, query);
      return { items: rows.map((row) => presentDeliverySummary(row, placeOfDelivery(at))), total };
    },
    async get(at, deliveryId) {
      await hookAt(db, at);
      const row = await store.findDelivery(db, at.id, deliveryId);
      if (!row) throw new AppError("not_found");
      const [attempts, event] = await Promise.all([store.listAttempts(db, row.id), deps.complete(row)]);
      return presentDelivery({ row, attempts, body: bodyOf(row, event, addresses) }, placeOfDelivery(at));
    },
    async ping(actor, at) {
      const id = await db.transaction(async (tx) => {
        const { id: hookId, event_kinds: events } = await activeAt(tx, at);
        const subject = { webhook: { id: hookId, events } };
        const position = await deps.recordPing(tx, actor, { owner: at.owner, subject });
        const event = { position, kind: "ping", action: "requested" };
        const delivery = await addTestDelivery(tx, hookId, event);
        await sendNow(tx, hookId);
        await recordAudit(tx, actor, entryOf("webhook.ping", at, { delivery_id: delivery }));
        return delivery;
      });
      return show(at, id);
    },
    async test(actor, at, kind) {
      const id = await db.transaction(async (tx) => {
        await activeAt(tx, at);
        const event = await store.findLastEvent(tx, placeOf(at.owner), kind);
        if (!event)
          throw new AppError("conflict", {
            message: `No ${kind} event happened here within the last 30 days.`,
          });
        const delivery = await addTestDelivery(tx, at.id, event);
        await sendNow(tx, at.id);
        await recordAudit(tx, actor, entryOf("webhook.test", at, { delivery_id: delivery, event: kind }));
        return delivery;
      });
      return show(at, id);
    },
    async redeliver(actor, at, deliveryId) {
      await db.transaction(async (tx) => {
        await activeAt(tx, at);
        if (!(await store.redeliverOne(tx, at.id, deliveryId))) throw new AppError("not_found");
        await sendNow(tx, at.id);
        await recordAudit(tx, actor, entryOf("webhook.redeliver", at, { delivery_id: deliveryId }));
      });
      return show(at, deliveryId);
    },
    async redeliverMany(actor, at, wanted) {
      if (wanted.since !== undefined && wanted.until !== undefined && wanted.until < wanted.since)
        throw invalidField("until", "invalid", "This is before `since`.");
      const redelivered = await db.transaction(async (tx) => {
        await activeAt(tx, at);
        const count = await store.redeliverMany(tx, at.id, wanted);
        if (count === 0) return 0;
        await sendNow(tx, at.id);
        await recordAudit(tx, actor, entryOf("webhook.redeliver", at, { count, ...wanted }));
        return count;
      });
      return { redelivered, more: redelivered === store.maxRedelivered };
    },
  };
}

/** Lanes are woken, and a gated endpoint gets its next single try now. */
async function sendNow(tx: Transaction, webhookId: string): Promise<void> {
  await tx.notify("webhook", webhookId);
  if (await store.sendNow(tx, webhookId)) await addRetryIntent(tx, webhookId);
}

function entryOf(action: AuditEntry["action"], { owner, id }: HookAt, details: object): AuditEntry {
  return { action, target: targetOfOwner(owner), details: { webhook_id: id, ...details } };
}
