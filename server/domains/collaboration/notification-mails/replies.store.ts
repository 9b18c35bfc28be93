/** Which person and conversation an answer by mail belongs to, and which answers came. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { RepliesRows } from "./replies.rows.ts";

/** Longer than the signature of an address is valid. */
const addressesKept = "interval '100 days'";
/** Longer than mail servers try. */
const mailsKept = "interval '30 days'";

export const statements = defineStatements<RepliesRows>({
  putAddress: `
    insert into reply_addresses (user_id, work_item_id, thread_id) values ($1, $2, $3)
    on conflict (user_id, work_item_id, thread_id) do update set mailed_at = now() returning number`,
  findTarget: `
    select ra.user_id, ra.thread_id, w.kind, w.number, rn.owner, rn.name
    from reply_addresses ra join work_items w on w.id = ra.work_item_id
      join repository_names rn on rn.repository_id = w.repository_id
    where ra.number = $1`,
  isVerified: `
    select id from user_emails where user_id = $1 and lower(email) = lower($2) and verified_at is not null`,
  countRecent: `
    select count(*) filter (where created_at > now() - interval '1 hour') as in_hour,
      count(*) filter (where answered) as answered_in_day,
      count(*) filter (where message_hash = $2) as same
    from inbound_mails where user_id = $1 and (created_at > now() - interval '1 day' or message_hash = $2)`,
  record: `
    insert into inbound_mails (user_id, message_hash, answered) values ($1, $2, $3) on conflict do nothing returning id`,
  removeOldMails: `delete from inbound_mails where created_at < now() - ${mailsKept}`,
  removeOldAddresses: `delete from reply_addresses where mailed_at < now() - ${addressesKept}`,
});

export type ReplyTarget = RowOf<typeof statements.findTarget>;

/** Of the address for answers; the same for each mail to this person about this conversation or thread. */
export async function putAddress(
  tx: Transaction,
  { userId, itemId, threadId }: { userId: string; itemId: string; threadId: string | null },
): Promise<number> {
  const row = await tx.one(statements.putAddress, [userId, itemId, threadId]);
  return row!.number;
}

/** Undefined for what is gone. */
export function findTarget(db: Queryable, number: number): Promise<ReplyTarget | undefined> {
  return db.one(statements.findTarget, [number]);
}

/** False: it has come before. */
export async function record(
  tx: Transaction,
  mail: { userId: string; messageHash: Buffer; answered: boolean },
): Promise<boolean> {
  return Boolean(await tx.one(statements.record, [mail.userId, mail.messageHash, mail.answered]));
}
