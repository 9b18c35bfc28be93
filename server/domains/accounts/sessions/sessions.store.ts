/** Rows of `sessions`. Ending a session deletes its row. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { SessionsRows } from "./sessions.rows.ts";

export type SignInMethod = "password" | "passkey" | "sso";

export type SessionRow = SessionsRows["insertSession"];

const columns = "id, method, ip_address, user_agent, created_at, last_seen_at, expires_at";

export const statements = defineStatements<SessionsRows>({
  insertSession: `
    with expired as (delete from sessions where expires_at < now())
    insert into sessions (id, user_id, token_hash, method, ip_address, user_agent, expires_at, ends_at, identity_id)
    values ($1, $2, $3, $4, $5, $6, now() + make_interval(days => $7), now() + make_interval(days => $8), $9)
    returning ${columns}`,
  countSessions: `select count(*) as total from sessions where user_id = $1 and expires_at > now()`,
  listSessions: `
    select ${columns} from sessions where user_id = $1 and expires_at > now()
    order by id desc limit $2 offset $3`,
  findSession: `select ${columns} from sessions where id = $2 and user_id = $1 and expires_at > now()`,
  deleteSession: `delete from sessions where id = $2 and user_id = $1 and expires_at > now() returning ${columns}`,
  deleteByHash: `delete from sessions where token_hash = $2 and user_id = $1 returning ${columns}`,
  deleteSessions: `delete from sessions where user_id = $1 and id is distinct from $2 returning ${columns}`,
  touchSession: `
    update sessions set last_seen_at = now(), expires_at = least(ends_at, now() + interval '7 days')
    where id = $1 and last_seen_at < now() - interval '1 minute'`,
});

/** A session that nobody uses ends after `idleDays`, any after `maxDays`. */
export const idleDays = 7;
export const maxDays = 30;

export interface NewSession {
  id: string;
  userId: string;
  hash: Buffer;
  method: SignInMethod;
  /** The identity of single sign-on that opened it. */
  identityId: string | null;
  ipAddress: string;
  userAgent: string;
}

/** Also removes everybody's expired ones. */
export async function insertSession(db: Queryable, session: NewSession): Promise<SessionRow> {
  const row = await db.one(statements.insertSession, [
    session.id,
    session.userId,
    session.hash,
    session.method,
    session.ipAddress,
    session.userAgent,
    idleDays,
    maxDays,
    session.identityId,
  ]);
  if (!row) throw new Error("the insert gave no row");
  return row;
}

export async function listSessions(
  db: Queryable,
  userId: string,
  page: PageQuery,
): Promise<{ rows: SessionRow[]; total: number }> {
  const counted = await db.one(statements.countSessions, [userId]);
  const rows = await db.query(statements.listSessions, [userId, page.per_page, offsetOf(page)]);
  return { rows, total: counted?.total ?? 0 };
}

export function findSession(db: Queryable, userId: string, id: string): Promise<SessionRow | undefined> {
  return db.one(statements.findSession, [userId, id]);
}

export function deleteSession(db: Queryable, userId: string, id: string): Promise<SessionRow | undefined> {
  return db.one(statements.deleteSession, [userId, id]);
}

export function deleteByHash(db: Queryable, userId: string, hash: Buffer): Promise<SessionRow | undefined> {
  return db.one(statements.deleteByHash, [userId, hash]);
}

/** All of a user's, but for `kept`. */
export function deleteSessions(db: Queryable, userId: string, kept: string | null): Promise<SessionRow[]> {
  return db.query(statements.deleteSessions, [userId, kept]);
}

/** A session in use lives on: 7 days from now, and 30 days from the sign-in at most. */
export async function touchSession(db: Queryable, sessionId: string): Promise<void> {
  await db.query(statements.touchSession, [sessionId]);
}
