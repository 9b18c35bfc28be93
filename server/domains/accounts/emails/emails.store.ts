/** Rows of `user_emails`, `mail_requests` and `account_tokens`. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { EmailsRows } from "./emails.rows.ts";

export type EmailRow = EmailsRows["listEmails"];

const columns = `e.id, e.email, e.verified_at, e.created_at,
  e.verified_at is not null and lower(e.email) = lower(u.email) as is_primary`;
const own = `user_emails e join users u on u.id = e.user_id`;

interface Known {
  /** Each is written with an address. */
  findAccountToken: { email_id: string };
  useAccountToken: { email_id: string };
}

export const statements = defineStatements<EmailsRows, Known>({
  countEmails: `select count(*) as total from user_emails where user_id = $1`,
  listEmails: `select ${columns} from ${own} where e.user_id = $1 order by e.id limit $2 offset $3`,
  findEmail: `select ${columns} from ${own} where e.user_id = $1 and e.id = $2`,
  insertEmail: `
    insert into user_emails (id, user_id, email)
    select $1, $2, $3 where (select count(*) from user_emails where user_id = $2) < $4
    on conflict do nothing
    returning id, email, verified_at, created_at, false as is_primary`,
  deleteEmail: `delete from user_emails where user_id = $1 and id = $2`,
  requestMail: `insert into mail_requests (kind, address, email_id) values ($1, $2, $3) on conflict do nothing`,
  takeMailRequest: `
    with taken as (
      delete from mail_requests where id = (select id from mail_requests order by id limit 1 for update skip locked)
      returning kind, address, email_id)
    select t.*, coalesce((select count(*) >= 5 or max(m.created_at) > now() - interval '1 minute'
        from mails m where lower(m.to_address) = lower(t.address) and m.kind = t.kind
          and m.created_at > now() - interval '1 hour'), false) as too_many
    from taken t`,
  findVerifiedOwner: `
    select u.id as user_id, u.username, e.id as email_id, e.email from ${own}
    where lower(e.email) = lower($1) and e.verified_at is not null and not u.suspended`,
  findEmailOwner: `select u.id as user_id, u.username, e.id as email_id, e.email from ${own} where e.id = $1`,
  markVerified: `
    with verified as (update user_emails set verified_at = coalesce(verified_at, now()) where id = $1
      returning user_id, email)
    update users u set email = case when u.email = '' then v.email else u.email end, updated_at = now()
    from verified v where u.id = v.user_id returning v.email, u.email as primary`,
  deleteAccountToken: `
    delete from account_tokens where expires_at < now() or (user_id = $1 and purpose = $2 and email_id = $3)`,
  insertAccountToken: `
    insert into account_tokens (token_hash, purpose, user_id, email_id, expires_at)
    values ($1, $2, $3, $4, now() + make_interval(mins => $5))`,
  findAccountToken: `
    select u.id as user_id, u.username, t.email_id from account_tokens t join users u on u.id = t.user_id
    where t.token_hash = $1 and t.purpose = $2 and t.expires_at > now()`,
  useAccountToken: `
    with used as (delete from account_tokens where token_hash = $1 and purpose = $2 and expires_at > now()
      returning user_id, email_id)
    select u.id as user_id, u.username, used.email_id from used join users u on u.id = used.user_id`,
  deleteAccountTokens: `delete from account_tokens where user_id = $1 and purpose = $2`,
});

export async function listEmails(
  db: Queryable,
  userId: string,
  page: PageQuery,
): Promise<{ rows: EmailRow[]; total: number }> {
  const counted = await db.one(statements.countEmails, [userId]);
  const rows = await db.query(statements.listEmails, [userId, page.per_page, offsetOf(page)]);
  return { rows, total: counted?.total ?? 0 };
}

export function findEmail(db: Queryable, userId: string, id: string): Promise<EmailRow | undefined> {
  return db.one(statements.findEmail, [userId, id]);
}

/** Undefined when the user has this address, or `most` already. */
export function insertEmail(
  db: Queryable,
  email: { id: string; userId: string; address: string; max: number },
): Promise<EmailRow | undefined> {
  return db.one(statements.insertEmail, [email.id, email.userId, email.address, email.max]);
}

export async function deleteEmail(db: Queryable, userId: string, id: string): Promise<void> {
  await db.query(statements.deleteEmail, [userId, id]);
}

/** A second request while the first is waiting changes nothing. */
export async function requestMail(
  db: Queryable,
  request: { kind: "verify_email" | "reset_password"; address: string; emailId: string | null },
): Promise<void> {
  await db.query(statements.requestMail, [request.kind, request.address, request.emailId]);
}

/** `too_many`: the address has reached its limit of mails. */
export type MailRequestRow = EmailsRows["takeMailRequest"];

export function takeMailRequest(db: Queryable): Promise<MailRequestRow | undefined> {
  return db.one(statements.takeMailRequest);
}

export type AddressOwner = EmailsRows["findVerifiedOwner"];

/** Whose verified address it is; not for suspended users. */
export function findVerifiedOwner(db: Queryable, address: string): Promise<AddressOwner | undefined> {
  return db.one(statements.findVerifiedOwner, [address]);
}

export function findEmailOwner(db: Queryable, emailId: string): Promise<AddressOwner | undefined> {
  return db.one(statements.findEmailOwner, [emailId]);
}

/**
 * Verified, and the user's primary one if they had none; returns the address and the primary one that is. Throws a unique
 * violation when it is another account's.
 */
export async function markVerified(
  db: Queryable,
  emailId: string,
): Promise<{ email: string; primary: string }> {
  const row = await db.one(statements.markVerified, [emailId]);
  if (!row) throw new Error("the address is gone although its token was there");
  return row;
}

export interface AccountToken {
  hash: Buffer;
  purpose: "verify_email" | "reset_password";
  userId: string;
  emailId: string;
  minutes: number;
}

/** Takes the place of earlier ones for the same purpose and address. */
export async function insertAccountToken(db: Queryable, token: AccountToken): Promise<void> {
  await db.query(statements.deleteAccountToken, [token.userId, token.purpose, token.emailId]);
  await db.query(statements.insertAccountToken, [
    token.hash,
    token.purpose,
    token.userId,
    token.emailId,
    token.minutes,
  ]);
}

export type TokenOwner = RowOf<typeof statements.findAccountToken>;

export function findAccountToken(
  db: Queryable,
  purpose: AccountToken["purpose"],
  hash: Buffer,
): Promise<TokenOwner | undefined> {
  return db.one(statements.findAccountToken, [hash, purpose]);
}

/** Only one of several simultaneous calls gets it. */
export function useAccountToken(
  db: Queryable,
  purpose: AccountToken["purpose"],
  hash: Buffer,
): Promise<TokenOwner | undefined> {
  return db.one(statements.useAccountToken, [hash, purpose]);
}

export async function deleteAccountTokens(db: Queryable, userId: string, purpose: string): Promise<void> {
  await db.query(statements.deleteAccountTokens, [userId, purpose]);
}
