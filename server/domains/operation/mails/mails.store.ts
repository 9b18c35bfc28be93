/** Rows of `mails`. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import type { EncryptedPage } from "../../../platform/keys/encrypted-values.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { MailsRows } from "./mails.rows.ts";

export type MailRow = MailsRows["listMails"];

const columns = "id, kind, to_address, subject, sealed_text, attempts, error, sent_at, failed_at, created_at";
const nextTry = "now() + least(interval '1 hour', interval '1 minute' * power(2, least(attempts, 10)))";
const keptFor = `interval '7 days'`;

export const statements = defineStatements<MailsRows>({
  insertMail: `insert into mails (id, kind, to_address, subject, sealed_text) values ($1, $2, $3, $4, $5)`,
  insertLateMail: `
    insert into mails (id, kind, to_address, subject, next_try_at, late_try_at) values ($1, $2, $3, $4, 'infinity', now())`,
  countMails: `select count(*) as total from mails where created_at > now() - ${keptFor}`,
  listMails: `select ${columns} from mails where created_at > now() - ${keptFor} order by id desc limit $1 offset $2`,
  findMail: `select ${columns} from mails where id = $1`,
  deleteOldMails: `delete from mails where created_at < now() - ${keptFor}`,
  countByKey: `
    select case when m.mark = any($1) then encode(m.mark, 'hex') else '' end as mark, count(*) as count
    from (select substring(sealed_text from 1 for 8) as mark from mails where sealed_text is not null) m group by 1`,
  lockOfOtherKeys: `
    select id, sealed_text from mails
    where sealed_text is not null and id > $1 and substring(sealed_text from 1 for 8) <> $2 order by id limit $3 for no key update`,
  replaceTexts: `
    update mails m set sealed_text = v.sealed from unnest($1::text[], $2::bytea[]) as v (id, sealed) where m.id = v.id`,
  lockDueMail: `
    select ${columns} from mails where sent_at is null and failed_at is null and next_try_at <= now()
    order by next_try_at limit 1 for update skip locked`,
  lockDueLateMail: `
    select ${columns} from mails where sent_at is null and failed_at is null and late_try_at <= now()
    order by late_try_at limit 1 for update skip locked`,
  deleteMail: "delete from mails where id = $1",
  markSent: `update mails set sent_at = now(), sealed_text = null, error = null, attempts = attempts + 1 where id = $1`,
  markFailed: `
    update mails set attempts = attempts + 1, error = $2,
      next_try_at = case when late_try_at is null then ${nextTry} else next_try_at end,
      late_try_at = case when late_try_at is not null then ${nextTry} end,
      failed_at = case when $3 or created_at < now() - interval '1 day' then now() end
    where id = $1`,
});

export async function insertMail(
  db: Queryable,
  mail: { id: string; kind: string; to: string; subject: string; sealedText: Buffer },
): Promise<void> {
  await db.query(statements.insertMail, [mail.id, mail.kind, mail.to, mail.subject, mail.sealedText]);
}

/** Its text is written when it is sent. */
export async function insertLateMail(
  db: Queryable,
  mail: { id: string; kind: string; to: string; subject: string },
): Promise<void> {
  await db.query(statements.insertLateMail, [mail.id, mail.kind, mail.to, mail.subject]);
}

export async function listMails(db: Queryable, page: PageQuery): Promise<{ rows: MailRow[]; total: number }> {
  const counted = await db.one(statements.countMails);
  const rows = await db.query(statements.listMails, [page.per_page, offsetOf(page)]);
  return { rows, total: counted?.total ?? 0 };
}

export function findMail(db: Queryable, id: string): Promise<MailRow | undefined> {
  return db.one(statements.findMail, [id]);
}

export async function deleteOldMails(db: Queryable): Promise<void> {
  await db.query(statements.deleteOldMails);
}

/** Locked until the transaction ends; other servers take other ones. */
export function lockDueMail(db: Queryable): Promise<MailRow | undefined> {
  return db.one(statements.lockDueMail);
}

/** As `lockDueMail`, of those that are written only now. */
export function lockDueLateMail(db: Queryable): Promise<MailRow | undefined> {
  return db.one(statements.lockDueLateMail);
}

export async function deleteMail(db: Queryable, id: string): Promise<void> {
  await db.query(statements.deleteMail, [id]);
}

export async function markSent(db: Queryable, id: string): Promise<void> {
  await db.query(statements.markSent, [id]);
}

/** Retried after 1 minute, doubling up to an hour, for a day; never if `final`. */
export async function markFailed(
  db: Queryable,
  id: string,
  failure: { error: string; final: boolean },
): Promise<void> {
  await db.query(statements.markFailed, [id, failure.error, failure.final]);
}

/** Mails whose text is there, by the mark of its key (`EncryptedValues`). */
export function countByKey(db: Queryable, marks: readonly Buffer[]): Promise<MailsRows["countByKey"][]> {
  return db.query(statements.countByKey, [[...marks]]);
}

/** Until the transaction ends. */
export function lockOfOtherKeys(
  tx: Transaction,
  { after, mark, limit }: EncryptedPage,
): Promise<MailsRows["lockOfOtherKeys"][]> {
  return tx.query(statements.lockOfOtherKeys, [after, mark, limit]);
}

export async function replaceTexts(
  tx: Transaction,
  texts: readonly { id: string; sealedText: Buffer }[],
): Promise<void> {
  await tx.query(statements.replaceTexts, [
    texts.map(({ id }) => id),
    texts.map(({ sealedText }) => sealedText),
  ]);
}
