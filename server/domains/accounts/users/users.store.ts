/** Rows of `users`. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { noReply } from "./commit-identity.ts";
import type { UsersRows } from "./users.rows.ts";

/** `email` is verified; empty without one. */
export type UserRow = UsersRows["findUser"];

const columns = `id, username, display_name, email, email_public, type, plan, is_admin, suspended, created_at, updated_at,
  exists (select 1 from two_factor t where t.user_id = users.id and t.enabled_at is not null) as two_factor_enabled`;

interface Known {
  /** The ending of an address that hides one is never null. */
  findUsernamesByEmail: { email: string };
}

export const statements = defineStatements<UsersRows, Known>({
  findUser: `select ${columns} from users where id = $1`,
  findUsers: `select ${columns} from users where id = any($1)`,
  findUserByName: `
    select ${columns} from users where id = (select id from owners where lower(name) = lower($1) and kind = 'user')
      and (type = 'user' or organization_id is not null)`,
  findForSignIn: `
    select ${columns}, password_hash from users where type = 'user' and id in (
      select id from owners where lower(name) = lower($1) and kind = 'user'
      union all
      select user_id from user_emails where lower(email) = lower($1) and verified_at is not null)`,
  findSignInUser: `select ${columns}, password_hash from users where id = $1 and type = 'user'`,
  insertUser: `
    insert into users (id, username, is_admin, password_hash, display_name) values ($1, $2, $3, $4, $5)
    returning ${columns}`,
  makeAdmin: `update users set is_admin = true, updated_at = now() where id = $1`,
  setPassword: `update users set password_hash = $2, updated_at = now() where id = $1`,
  setPrimaryEmail: `update users set email = $2, updated_at = now() where id = $1`,
  replaceHash: `update users set password_hash = $3 where id = $1 and password_hash = $2`,
  updateProfile: `
    update users set display_name = coalesce($2, display_name), email_public = coalesce($3, email_public),
      updated_at = now() where id = $1 returning ${columns}`,
  findUsernamesByEmail: `
    select lower(e.email) as email, o.name as username from user_emails e join owners o on o.id = e.user_id
    where lower(e.email) = any($1) and e.verified_at is not null
    union all
    select lower(name) || $3 as email, name as username from owners where kind = 'user' and lower(name) = any($2)`,
});

export function findUser(db: Queryable, id: string): Promise<UserRow | undefined> {
  return db.one(statements.findUser, [id]);
}

export function findUsers(db: Queryable, ids: readonly string[]): Promise<UserRow[]> {
  return db.query(statements.findUsers, [ids]);
}

/** Deleted bots have no name. */
export function findUserByName(db: Queryable, username: string): Promise<UserRow | undefined> {
  return db.one(statements.findUserByName, [username]);
}

export type SignInRow = UsersRows["findForSignIn"];

/** By name, or by a verified address. Bots do not sign in. */
export function findForSignIn(db: Queryable, name: string): Promise<SignInRow | undefined> {
  return db.one(statements.findForSignIn, [name]);
}

export function findSignInUser(db: Queryable, id: string): Promise<SignInRow | undefined> {
  return db.one(statements.findSignInUser, [id]);
}

export interface NewUser {
  id: string;
  username: string;
  isAdmin: boolean;
  passwordHash: string | null;
  displayName?: string;
}

/** The row of `owners` is there already. */
export async function insertUser(tx: Queryable, user: NewUser): Promise<UserRow> {
  const row = await tx.one(statements.insertUser, [
    user.id,
    user.username,
    user.isAdmin,
    user.passwordHash,
    user.displayName ?? "",
  ]);
  if (!row) throw new Error("the insert gave no row");
  return row;
}

export async function makeAdmin(db: Queryable, id: string): Promise<void> {
  await db.query(statements.makeAdmin, [id]);
}

export async function setPassword(db: Queryable, id: string, passwordHash: string): Promise<void> {
  await db.query(statements.setPassword, [id, passwordHash]);
}

export async function setPrimaryEmail(db: Queryable, userId: string, address: string): Promise<void> {
  await db.query(statements.setPrimaryEmail, [userId, address]);
}

/** The same password, hashed again; nothing if it was changed meanwhile. */
export async function replaceHash(
  db: Queryable,
  id: string,
  { before, after }: { before: string; after: string },
): Promise<void> {
  await db.query(statements.replaceHash, [id, before, after]);
}

export function updateProfile(
  db: Queryable,
  id: string,
  change: { name?: string | undefined; emailPublic?: boolean | undefined },
): Promise<UserRow | undefined> {
  return db.one(statements.updateProfile, [id, change.name ?? null, change.emailPublic ?? null]);
}

/** Names of users by verified e-mail address, in lower case, as commits give it. */
export async function findUsernamesByEmail(
  db: Queryable,
  emails: readonly string[],
): Promise<Map<string, string>> {
  const wanted = [...new Set(emails.map((email) => email.toLowerCase()))].filter(
    (email) => email !== "" && !email.includes("\0"),
  );
  if (wanted.length === 0) return new Map();
  const names = wanted.flatMap((email) => (email.endsWith(noReply) ? [email.slice(0, -noReply.length)] : []));
  const rows = await db.query(statements.findUsernamesByEmail, [wanted, names, noReply]);
  return new Map(rows.map((row) => [row.email, row.username]));
}
