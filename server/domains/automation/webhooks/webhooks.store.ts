/** Rows of `webhooks` for those who configure them. */
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { WebhooksRows } from "./webhooks.rows.ts";

export type WebhookRow = RowOf<typeof statements.findWebhook>;

/** What a webhook belongs to; one of the two. */
export interface HookPlace {
  repositoryId: string | null;
  organizationId: string | null;
}

const isHere = "(w.repository_id = $1 or w.organization_id = $2) and w.deleted_at is null";
const columns = `w.id, w.shown_url, w.event_kinds, w.active, w.ordered, w.ca_certificate,
  case when w.previous_until > now() then w.previous_until end as previous_until, w.disabled_reason, w.failing_since,
  w.retry_at, w.created_at, w.updated_at, w.sealed_url, w.sealed_secret,
  (select count(*)::int from webhook_deliveries d where d.webhook_id = w.id and d.status in ('pending', 'retrying')) as waiting,
  (select jsonb_build_object('id', d.id, 'status', d.status, 'created_at', d.created_at) from webhook_deliveries d
    where d.webhook_id = w.id order by d.number desc limit 1) as last_delivery`;
const fromHere = `from webhooks w where ${isHere}`;

interface Known {
  /** As the check of the table says it. */
  findWebhook: { last_delivery: LastDelivery | null };
  /** As above. */
  listWebhooks: { last_delivery: LastDelivery | null };
}

export interface LastDelivery {
  id: string;
  status: "pending" | "retrying" | "delivered" | "failed";
  created_at: string;
}

export const statements = defineStatements<WebhooksRows, Known>({
  listWebhooks: `select ${columns} ${fromHere} order by w.created_at desc, w.id desc limit $3 offset $4`,
  findWebhook: `select ${columns} ${fromHere} and w.id = $3`,
  lockWebhook: `select w.id ${fromHere} and w.id = $3 for no key update`,
  holdRepository: "select id from repositories where id = $1 and deleted_at is null for no key update",
  countWebhooks: `select count(*)::int as count ${fromHere}`,
  insertWebhook: `
    insert into webhooks (id, repository_id, organization_id, sealed_url, shown_url, event_kinds, active, ordered, ca_certificate,
      sealed_secret, created_by)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
  updateWebhook: `
    update webhooks set sealed_url = $2, shown_url = $3, event_kinds = $4, active = $5, ordered = $6, ca_certificate = $7,
      sealed_secret = $8, updated_at = now() where id = $1`,
  keepSecret: `
    update webhooks set sealed_previous_secret = sealed_secret, previous_until = now() + $2::int * interval '1 hour'
    where id = $1`,
  dropPreviousSecret: `
    update webhooks set sealed_previous_secret = null, previous_until = null where id = $1`,
  // An ordered one stays closed to all but the oldest until that is accepted.
  resetHealth: `
    with due as (
      update webhook_deliveries set next_attempt_at = now() where webhook_id = $1 and status = 'retrying' returning id)
    update webhooks set disabled_reason = null, failing_since = null, consecutive_failures = 0,
      retry_at = case when ordered and exists (select from due) then now() end
    where id = $1`,
  markDeleted: `
    update webhooks w set deleted_at = now(), active = false, sealed_url = '', sealed_secret = '', sealed_previous_secret = null
    where ${isHere} and w.id = $3 returning w.id, w.shown_url`,
  deleteEmptied: `
    delete from webhooks w where w.deleted_at is not null
      and not exists (select from webhook_deliveries d where d.webhook_id = w.id) returning w.id`,
  switchOffTransferred: `
    update webhooks set active = false, disabled_reason = 'transferred', updated_at = now()
    where repository_id = $1 and active returning id`,
});

const keysOf = ({ repositoryId, organizationId }: HookPlace) => [repositoryId, organizationId];

export async function listWebhooks(
  db: Queryable,
  place: HookPlace,
  page: { page: number; per_page: number },
): Promise<{ rows: WebhookRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.query(statements.listWebhooks, [...keysOf(place), page.per_page, offsetOf(page)]),
    countRows(db, fromHere, keysOf(place)),
  ]);
  return { rows, total };
}

export function findWebhook(db: Queryable, place: HookPlace, id: string): Promise<WebhookRow | undefined> {
  return db.one(statements.findWebhook, [...keysOf(place), id]);
}

/** Until the transaction ends; false where there is none. */
export async function lockWebhook(tx: Transaction, place: HookPlace, id: string): Promise<boolean> {
  return (await tx.one(statements.lockWebhook, [...keysOf(place), id])) !== undefined;
}

/** Until the transaction ends; false where it is gone. */
export async function holdRepository(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.one(statements.holdRepository, [id])) !== undefined;
}

export async function countWebhooks(tx: Transaction, place: HookPlace): Promise<number> {
  return (await tx.one(statements.countWebhooks, keysOf(place)))?.count ?? 0;
}

export interface StoredWebhook {
  id: string;
  sealedUrl: Buffer;
  shownUrl: string;
  events: readonly string[];
  active: boolean;
  ordered: boolean;
  caCertificate: string | null;
  sealedSecret: Buffer;
}

const valuesOf = (hook: StoredWebhook) => [
  hook.sealedUrl,
  hook.shownUrl,
  hook.events,
  hook.active,
  hook.ordered,
  hook.caCertificate,
  hook.sealedSecret,
];

export async function insertWebhook(
  tx: Transaction,
  place: HookPlace,
  hook: StoredWebhook & { createdBy: string | null },
): Promise<void> {
  await tx.query(statements.insertWebhook, [hook.id, ...keysOf(place), ...valuesOf(hook), hook.createdBy]);
}

export async function updateWebhook(tx: Transaction, hook: StoredWebhook): Promise<void> {
  await tx.query(statements.updateWebhook, [hook.id, ...valuesOf(hook)]);
}

/** The present secret becomes the previous one, for so long. To be called before it is replaced. */
export async function keepSecret(tx: Transaction, id: string, hours: number): Promise<void> {
  await tx.query(statements.keepSecret, [id, hours]);
}

export async function dropPreviousSecret(tx: Transaction, id: string): Promise<void> {
  await tx.query(statements.dropPreviousSecret, [id]);
}

/** As if nothing had failed: all that waits is due. */
export async function resetHealth(tx: Transaction, id: string): Promise<void> {
  await tx.query(statements.resetHealth, [id]);
}

/** Nothing of it is found or sent any more; its rows are removed later. Undefined where there is none. */
export function markDeleted(tx: Transaction, place: HookPlace, id: string) {
  return tx.one(statements.markDeleted, [...keysOf(place), id]);
}

/** Those whose deliveries have gone. */
export async function deleteEmptied(db: Queryable): Promise<void> {
  await db.query(statements.deleteEmptied);
}

/** Those of a repository that gets another owner; how many. */
export async function switchOffTransferred(tx: Transaction, repositoryId: string): Promise<number> {
  return (await tx.query(statements.switchOffTransferred, [repositoryId])).length;
}
