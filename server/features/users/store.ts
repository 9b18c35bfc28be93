/** Rows of `users` and `owners`. */
import type { Queryable } from "../../db/database.ts";

export interface UserRow {
  id: string;
  username: string;
  display_name: string;
  email: string;
  type: "user" | "bot";
  plan: "free" | "pro" | "organization" | "enterprise";
  is_admin: boolean;
  created_at: Date;
  updated_at: Date;
}

const columns = "id, username, display_name, email, type, plan, is_admin, created_at, updated_at";

export function findUser(db: Queryable, id: string): Promise<UserRow | undefined> {
  return db.one<UserRow>(`select ${columns} from users where id = $1`, [id]);
}

export function findUserByName(db: Queryable, username: string): Promise<UserRow | undefined> {
  return db.one<UserRow>(
    `select ${columns} from users where id = (select id from owners where lower(name) = lower($1) and kind = 'user')`,
    [username],
  );
}

export interface NewUser {
  id: string;
  username: string;
  isAdmin: boolean;
  passwordHash: string | null;
}

/** Undefined when the name is taken, by a user or an organization. */
export async function insertUser(db: Queryable, user: NewUser): Promise<UserRow | undefined> {
  const owner = await db.one(
    `insert into owners (id, name, kind) values ($1, $2, 'user') on conflict do nothing returning id`,
    [user.id, user.username],
  );
  if (!owner) return undefined;
  return db.one<UserRow>(
    `insert into users (id, username, is_admin, password_hash) values ($1, $2, $3, $4) returning ${columns}`,
    [user.id, user.username, user.isAdmin, user.passwordHash],
  );
}

export async function setPassword(db: Queryable, id: string, passwordHash: string): Promise<void> {
  await db.query(`update users set password_hash = $2, is_admin = true, updated_at = now() where id = $1`, [
    id,
    passwordHash,
  ]);
}
