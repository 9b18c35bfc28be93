/** Deliveries for those who look at them. */
import type { DeliveryQuery, RedeliverMany } from "@forgeline/schemas/webhooks/shapes.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { UserSnapshot } from "../../accounts/domain.ts";
import type { RepositorySnapshot } from "../../hosting/domain.ts";
import type { OrganizationSnapshot } from "./body.ts";
import { deliverySql } from "./delivery-states.ts";
import type { DeliveriesRows } from "./deliveries.rows.ts";

interface Known {
  /** Columns of events, as their stores write them. */
  findDelivery: {
    repository: RepositorySnapshot | null;
    organization: OrganizationSnapshot | null;
    sender: UserSnapshot | null;
    subject: Record<string, unknown>;
  };
  /** Texts only. */
  listAttempts: { request_headers: Record<string, string>; response_headers: Record<string, string> | null };
}

export type SummaryRow = RowOf<typeof statements.listDeliveries>;
export type DeliveryRow = RowOf<typeof statements.findDelivery>;
export type AttemptRow = RowOf<typeof statements.listAttempts>;

const summary = `d.id, d.number, d.event, d.action, d.test, d.status, d.attempts_count, d.next_attempt_at, d.finished_at, d.created_at,
  a.at as last_attempt_at, a.response_status, a.error`;
const lastAttempt = `left join lateral (
    select at, response_status, error from webhook_attempts a where a.delivery_id = d.id order by attempt desc limit 1) a on true`;
const filtered = `from webhook_deliveries d where d.webhook_id = $1 and ($2::text is null or d.status = $2)
  and ($3::text is null or d.event = $3) and ($4::timestamptz is null or d.created_at >= $4)
  and ($5::timestamptz is null or d.created_at <= $5)`;

const again = `update webhook_deliveries d set status = ${deliverySql.to("redeliver")}, tries = 0, series_started_at = now(), next_attempt_at = null,
  finished_at = null`;

/** Deliveries that are taken at once. */
export const maxRedelivered = 10_000;

export const statements = defineStatements<DeliveriesRows, Known>({
  listDeliveries: `
    select ${summary} from (select d.* ${filtered} order by d.number desc limit $6 offset $7) d ${lastAttempt} order by d.number desc`,
  findDelivery: `
    select ${summary}, d.event_position, e.kind, e.repository, e.organization, e.sender, e.subject, e.occurred_at
    from webhook_deliveries d join events e on e.position = d.event_position ${lastAttempt}
    where d.webhook_id = $1 and d.id = $2`,
  listAttempts: `
    select attempt, at, duration_ms, response_status, error, request_headers, response_headers, response_body, truncated
    from webhook_attempts where delivery_id = $1 order by attempt desc limit 100`,
  redeliverOne: `${again} where d.webhook_id = $1 and d.id = $2 returning d.id`,
  redeliverMany: `
    ${again} where d.id in (select d.id ${filtered} order by d.number limit ${maxRedelivered}) returning d.id`,
  sendNow:
    "update webhooks set retry_at = least(retry_at, now()) where id = $1 and retry_at is not null returning id",
  findLastEvent: `
    select position, kind, action from events where kind = $3 and occurred_at > now() - interval '30 days'
      and (repository_id = $1 or organization_id = $2) order by position desc limit 1`,
  countDeliveries: `
    select count(*) filter (where status = 'pending')::int as pending, count(*) filter (where status = 'retrying')::int as retrying
    from webhook_deliveries where status in ('pending', 'retrying')`,
  deleteOrphans: `
    delete from webhook_deliveries where id in (
      select d.id from webhooks w join webhook_deliveries d on d.webhook_id = w.id where w.deleted_at is not null limit 5000)
    returning id`,
  deleteDeliveries: `
    delete from webhook_deliveries where id in (
      select id from webhook_deliveries where created_at < $1 and status in ('delivered', 'failed') order by created_at limit 5000)
    returning id`,
});

const filterOf = (
  webhookId: string,
  query: {
    status?: string | undefined;
    event?: string | undefined;
    since?: string | undefined;
    until?: string | undefined;
  },
) => [webhookId, query.status ?? null, query.event ?? null, query.since ?? null, query.until ?? null];

export async function listDeliveries(
  db: Queryable,
  webhookId: string,
  query: DeliveryQuery,
): Promise<{ rows: SummaryRow[]; total: number }> {
  const filter = filterOf(webhookId, query);
  const [rows, total] = await Promise.all([
    db.query(statements.listDeliveries, [...filter, query.per_page, offsetOf(query)]),
    countRows(db, filtered, filter),
  ]);
  return { rows, total };
}

export function findDelivery(db: Queryable, webhookId: string, id: string): Promise<DeliveryRow | undefined> {
  return db.one(statements.findDelivery, [webhookId, id]);
}

/** Newest first, at most 100. */
export function listAttempts(db: Queryable, deliveryId: string): Promise<AttemptRow[]> {
  return db.query(statements.listAttempts, [deliveryId]);
}

/** False where there is none. */
export async function redeliverOne(tx: Transaction, webhookId: string, id: string): Promise<boolean> {
  return (await tx.one(statements.redeliverOne, [webhookId, id])) !== undefined;
}

/** The oldest first; how many. */
export async function redeliverMany(
  tx: Transaction,
  webhookId: string,
  wanted: RedeliverMany,
): Promise<number> {
  return (await tx.query(statements.redeliverMany, filterOf(webhookId, wanted))).length;
}

/** Where only single tries are made, the next one is due now. True where that is so. */
export async function sendNow(tx: Transaction, webhookId: string): Promise<boolean> {
  return (await tx.one(statements.sendNow, [webhookId])) !== undefined;
}

/** The last event of a kind within 30 days. */
export function findLastEvent(
  tx: Transaction,
  place: { repositoryId: string | null; organizationId: string | null },
  kind: string,
) {
  return tx.one(statements.findLastEvent, [place.repositoryId, place.organizationId, kind]);
}

export async function countDeliveries(db: Queryable): Promise<{ pending: number; retrying: number }> {
  return (await db.one(statements.countDeliveries)) ?? { pending: 0, retrying: 0 };
}

/** At most 5,000 of webhooks that were deleted; how many. */
export async function deleteOrphans(db: Queryable): Promise<number> {
  return (await db.query(statements.deleteOrphans)).length;
}

/** At most 5,000 of those that are over and older; how many. */
export async function deleteDeliveries(db: Queryable, before: Date): Promise<number> {
  return (await db.query(statements.deleteDeliveries, [before])).length;
}
