/** Mails of events that are still to be sent, and what they are put together to. */
import type { NotificationReason } from "@forgeline/schemas/notifications/resource.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { addressSql } from "./address.store.ts";
import type { WaitingRows } from "./waiting.rows.ts";

/** Mails that one transaction puts together. */
export const maxLetters = 100;
/** Events in one digest; the rest comes in another one. */
const maxInDigest = 200;

interface Known {
  /** A function of PostgreSQL gives it. */
  claim: { claimed: boolean };
}

export const statements = defineStatements<WaitingRows, Known>({
  insert: `
    insert into notification_mails (position, user_id, work_item_id, actor_id, event, text_id, reason, due_at, in_digest)
    select t.position, p.user_id, t.work_item_id, t.actor_id, t.event, t.text_id, p.reason, p.due_at, p.in_digest
    from tellings t cross join jsonb_to_recordset($2::jsonb) as p (user_id text, reason text, due_at timestamptz, in_digest boolean)
    where t.position = $1 on conflict do nothing`,
  delay: `
    update notification_mails set due_at = $2::timestamptz, in_digest = in_digest or $3::boolean where user_id = $1 and mail_id is null`,
  // Until the transaction ends: two servers would make two digests of what is one.
  claim: "select pg_try_advisory_xact_lock(hashtext('notification_mails')) as claimed",
  dueSingles: `
    select m.id, m.user_id from notification_mails m
    where m.mail_id is null and not m.in_digest and m.due_at <= now() order by m.due_at, m.id limit ${maxLetters}`,
  dueDigests: `
    select of_one.id, of_one.user_id, of_one.address
    from (select m.user_id from notification_mails m where m.mail_id is null and m.in_digest and m.due_at <= now()
        group by m.user_id order by min(m.due_at) limit ${maxLetters}) people
      cross join lateral (select m.id, m.user_id, ${addressSql} as address
        from notification_mails m join users u on u.id = m.user_id left join notification_settings s on s.user_id = u.id
          join work_items w on w.id = m.work_item_id join repositories r on r.id = w.repository_id
        where m.user_id = people.user_id and m.mail_id is null and m.in_digest and m.due_at <= now()
        order by m.due_at, m.id limit ${maxInDigest}) of_one`,
  headOf: `
    select ${addressSql} as address, rn.owner, rn.name, w.kind, w.number, w.title
    from notification_mails m join users u on u.id = m.user_id left join notification_settings s on s.user_id = u.id
      join work_items w on w.id = m.work_item_id join repositories r on r.id = w.repository_id
      join repository_names rn on rn.repository_id = r.id
    where m.id = $1`,
  assign: "update notification_mails set mail_id = $1 where id = any ($2::bigint[])",
  remove: "delete from notification_mails where id = any ($1::bigint[])",
  removeDue: "delete from notification_mails where mail_id is null and due_at <= now()",
});

export type DueRow = RowOf<typeof statements.dueSingles>;

export interface PlannedMail {
  user_id: string;
  reason: NotificationReason;
  due_at: string;
  in_digest: boolean;
}

/** Of the telling at this position, which is locked. */
export async function insertPlanned(
  tx: Transaction,
  position: number,
  mails: readonly PlannedMail[],
): Promise<void> {
  await tx.query(statements.insert, [position, JSON.stringify(mails)]);
}

/** What waits for somebody is sent then. */
export async function delayWaiting(
  tx: Transaction,
  userId: string,
  { at, inDigest }: { at: Date; inDigest: boolean },
): Promise<void> {
  await tx.query(statements.delay, [userId, at, inDigest]);
}

/** Each inner list becomes one mail. */
export async function listDue(tx: Transaction): Promise<DueRow[][]> {
  const singles = await tx.query(statements.dueSingles, []);
  if (singles.length > 0) return singles.map((row) => [row]);
  const rows = await tx.query(statements.dueDigests, []);
  // An organization may have an address of its own, where nothing of others comes.
  return [...Map.groupBy(rows, ({ user_id: userId, address }) => `${userId} ${address ?? ""}`).values()];
}
