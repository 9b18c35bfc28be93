/** What the sending of deliveries reads and writes. Several statements here concern many deliveries at once. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { UserSnapshot } from "../../accounts/domain.ts";
import type { RepositorySnapshot } from "../../hosting/domain.ts";
import type { OrganizationSnapshot } from "./body.ts";
import { lockedInOrder } from "./fan-out.store.ts";
import { deliverySql, maxAnHour, seriesMs } from "./delivery-states.ts";
import type { SendingRows } from "./sending.rows.ts";

interface Event {
  /** As `repository-events.store.ts` writes it. */
  repository: RepositorySnapshot | null;
  /** As `organization-events.store.ts` writes it. */
  organization: OrganizationSnapshot | null;
  /** As `user_snapshot` makes it. */
  sender: UserSnapshot | null;
  /** Always an object. */
  subject: Record<string, unknown>;
}

interface Known {
  /** Columns of events. */
  takePending: Event;
  /** Columns of events. */
  takeDue: Event;
  /** Columns of events. */
  takeOldest: Event;
}

export type WaitingDelivery = RowOf<typeof statements.takePending>;
export type EndpointRow = RowOf<typeof statements.findEndpoint>;

const { from, to } = deliverySql;
const waiting = from("expire");
const hour = "interval '1 hour'";
const seriesEnd = `now() - interval '${seriesMs} milliseconds'`;

const delivery = `d.id, d.webhook_id, d.number, d.event_position, d.test, d.tries, e.kind, e.action, e.repository, e.organization, e.sender,
  e.subject, e.occurred_at`;
const joined = "webhook_deliveries d join events e on e.position = d.event_position";

export const statements = defineStatements<SendingRows, Known>({
  findEndpoint: `
    select id, sealed_url, sealed_secret, case when previous_until > now() then sealed_previous_secret end as sealed_previous_secret,
      ordered, active, ca_certificate, updated_at::text as version,
      extract(epoch from retry_at - clock_timestamp())::float8 * 1000 as gated_ms,
      ${maxAnHour} - case when window_started_at > now() - ${hour} then window_count else 0 end as room,
      greatest(extract(epoch from window_started_at + ${hour} - clock_timestamp()), 0)::float8 * 1000 as window_ms
    from webhooks where id = $1`,
  takePending: `
    select ${delivery} from ${joined}
    where d.webhook_id = $1 and d.status = 'pending' and d.id <> all ($2) order by d.number limit $3`,
  takeDue: `
    select ${delivery} from ${joined}
    where d.webhook_id = $1 and d.status = 'retrying' and d.next_attempt_at <= clock_timestamp() order by d.number limit $2`,
  takeOldest: `
    select ${delivery} from ${joined}
    where d.webhook_id = $1 and d.status in (${waiting}) order by d.number limit 1`,
  nextDue: `
    select extract(epoch from min(next_attempt_at) - clock_timestamp())::float8 * 1000 as due_ms
    from webhook_deliveries where webhook_id = $1 and status = 'retrying'`,
  moveDeliveries: `
    with given as (
      select * from jsonb_to_recordset($1::jsonb) as g(delivery_id text, version text, attempt jsonb, accepted boolean, wait_ms int)
    ), moved as (
      update webhook_deliveries d set attempts_count = attempts_count + 1, tries = tries + 1,
        status = case when g.accepted then ${to("accept")} when d.series_started_at < ${seriesEnd} then ${to("expire")} else ${to("refuse")} end,
        next_attempt_at = case when not g.accepted and d.series_started_at >= ${seriesEnd}
          then clock_timestamp() + case when w.updated_at::text = g.version then g.wait_ms else 0 end * interval '1 millisecond' end,
        finished_at = case when g.accepted or d.series_started_at < ${seriesEnd} then clock_timestamp() end
      from given g, webhooks w where d.id = g.delivery_id and w.id = d.webhook_id and d.status in (${from("accept")})
      returning d.id, d.attempts_count, g.attempt
    )
    insert into webhook_attempts (delivery_id, attempt, at, duration_ms, response_status, error, request_headers, response_headers,
      response_body, truncated)
    select m.id, m.attempts_count, a.at, a.duration_ms, a.response_status, a.error, a.request_headers, a.response_headers,
      a.response_body, a.truncated
    from moved m cross join lateral jsonb_to_record(m.attempt) as a(at timestamptz, duration_ms int, response_status int, error text,
      request_headers jsonb, response_headers jsonb, response_body text, truncated boolean)
    returning delivery_id`,
  moveEndpoints: `
    with wanted as (
      select * from jsonb_to_recordset($1::jsonb) as g(webhook_id text, version text, requests int, accepted boolean, failures int)
    ), ${lockedInOrder}
    update webhooks w set
      window_started_at = case when w.window_started_at > now() - ${hour} then w.window_started_at else now() end,
      window_count = case when w.window_started_at > now() - ${hour} then w.window_count else 0 end + g.requests,
      failing_since = case when w.updated_at::text <> g.version then w.failing_since when g.failures = 0 then null when g.accepted then now() else coalesce(w.failing_since, now()) end,
      consecutive_failures = case when w.updated_at::text <> g.version then w.consecutive_failures else
        case when g.accepted then 0 else w.consecutive_failures end + g.failures end
    from wanted g join locked using (webhook_id) where w.id = g.webhook_id
    returning w.id, w.ordered, w.active, w.consecutive_failures, w.failing_since, w.retry_at is not null as gated,
      w.updated_at::text <> g.version as outdated`,
  setGate: `
    update webhooks set retry_at = clock_timestamp() + $2::int * interval '1 millisecond' where id = $1`,
  openGate: `
    update webhooks w set retry_at = null where id = $1 and retry_at is not null and not (ordered and exists (
      select from webhook_deliveries d where d.webhook_id = w.id and d.status in (${waiting}))) returning id`,
  expire: `
    update webhook_deliveries set status = ${to("expire")}, next_attempt_at = null, finished_at = clock_timestamp()
    where webhook_id = $1 and status in (${waiting}) and series_started_at < ${seriesEnd} returning id`,
  giveUp: `
    update webhook_deliveries set status = ${to("expire")}, next_attempt_at = null, finished_at = clock_timestamp()
    where webhook_id = $1 and status in (${waiting}) returning id`,
  switchOff: `
    update webhooks set active = false, disabled_reason = 'failing', updated_at = now()
    where id = $1 and active and failing_since < now() - $2::int * interval '1 second'
    returning id, shown_url, repository_id, organization_id`,
  listUnsent: `
    select distinct w.id from webhooks w join webhook_deliveries d on d.webhook_id = w.id and d.status = 'pending'
    where w.active and w.retry_at is null`,
  listOverdue: `
    select w.id from webhooks w where w.active and (w.retry_at < now() - interval '1 minute' or (w.retry_at is null and exists (
      select from webhook_deliveries d where d.webhook_id = w.id and d.status = 'retrying'
        and d.next_attempt_at < now() - interval '1 minute')))
    union
    select d.webhook_id from webhook_deliveries d join webhooks w on w.id = d.webhook_id and w.deleted_at is null
    where d.status in (${waiting}) and d.series_started_at < ${seriesEnd}`,
});

export function findEndpoint(db: Queryable, id: string): Promise<EndpointRow | undefined> {
  return db.one(statements.findEndpoint, [id]);
}

/** Those not sent yet, in order, except these. */
export function takePending(
  db: Queryable,
  webhookId: string,
  { except, limit }: { except: readonly string[]; limit: number },
): Promise<WaitingDelivery[]> {
  return db.query(statements.takePending, [webhookId, except, limit]);
}

/** Those whose next attempt is due, in order. */
export function takeDue(db: Queryable, webhookId: string, limit: number): Promise<WaitingDelivery[]> {
  return db.query(statements.takeDue, [webhookId, limit]);
}

/** Of those that wait, due or not. */
export function takeOldest(db: Queryable, webhookId: string): Promise<WaitingDelivery | undefined> {
  return db.one(statements.takeOldest, [webhookId]);
}

/** Milliseconds until one of those that failed is due; null when there is none. */
export async function nextDue(db: Queryable, webhookId: string): Promise<number | null> {
  return (await db.one(statements.nextDue, [webhookId]))?.due_ms ?? null;
}

export interface MovedDelivery {
  delivery_id: string;
  /** Of the webhook that it was sent to. Where it has been changed since, the next attempt is due at once. */
  version: string;
  accepted: boolean;
  /** Until the next attempt, if it was not accepted. */
  wait_ms: number;
  /** A row of `webhook_attempts` without its keys. */
  attempt: object;
}

export async function moveDeliveries(tx: Transaction, moved: readonly MovedDelivery[]): Promise<void> {
  await tx.query(statements.moveDeliveries, [JSON.stringify(moved)]);
}

export interface MovedEndpoint {
  webhook_id: string;
  /** Where it has been changed since, what was sent before says nothing about it. */
  version: string;
  requests: number;
  /** One of them was accepted. */
  accepted: boolean;
  /** Since the last one that was accepted. */
  failures: number;
}

export function moveEndpoints(tx: Transaction, moved: readonly MovedEndpoint[]) {
  return tx.query(statements.moveEndpoints, [JSON.stringify(moved)]);
}

/** Nothing but a single try is sent before one succeeds; the first is due after so many milliseconds. */
export async function setGate(tx: Transaction, webhookId: string, waitMs: number): Promise<void> {
  await tx.query(statements.setGate, [webhookId, waitMs]);
}

/** False where it was open, or must stay closed because an ordered webhook has deliveries waiting. */
export async function openGate(db: Queryable, webhookId: string): Promise<boolean> {
  return (await db.one(statements.openGate, [webhookId])) !== undefined;
}

/** Gives up those that have waited for too long; how many. */
export async function expire(db: Queryable, webhookId: string): Promise<number> {
  return (await db.query(statements.expire, [webhookId])).length;
}

/** Gives up all that wait; how many. */
export async function giveUp(db: Queryable, webhookId: string): Promise<number> {
  return (await db.query(statements.giveUp, [webhookId])).length;
}

/** If it has failed for so long; undefined otherwise. */
export function switchOff(tx: Transaction, webhookId: string, afterSeconds: number) {
  return tx.one(statements.switchOff, [webhookId, afterSeconds]);
}

/** Webhooks with deliveries that were not sent yet and may be. */
export async function listUnsent(db: Queryable): Promise<string[]> {
  return (await db.query(statements.listUnsent)).map(({ id }) => id);
}

/** Webhooks whose retries are late, or that have deliveries to give up. */
export async function listOverdue(db: Queryable): Promise<string[]> {
  return (await db.query(statements.listOverdue)).map(({ id }) => id);
}
