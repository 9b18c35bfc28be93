/** Accounts of people. Names are shared with organizations and compared without case. */
import { hash } from "@node-rs/argon2";
import { ownerName } from "@forgeline/schemas/core/ids.ts";
import type { Database } from "../../db/database.ts";
import { AppError } from "../../platform/app-error.ts";
import { newId } from "../../platform/ids.ts";
import { findUser, findUserByName, insertUser, setPassword, type UserRow } from "./store.ts";

export interface UserService {
  /** Throws `not_found`. */
  get(id: string): Promise<UserRow>;
  /**
   * An administrator with this name and password. Run again for the same name it sets the password, so that starting
   * an instance twice is harmless. Throws `validation_failed` and, for a name that an organization has, `conflict`.
   */
  ensureAdmin(username: string, password: string): Promise<UserRow>;
}

const reservedNames = new Set(
  "api docs downloads healthz readyz metrics oauth login logout settings users user orgs repos explore search new static assets avatars .well-known favicon.ico robots.txt system anonymous".split(
    " ",
  ),
);

export function isReservedOwnerName(name: string): boolean {
  return reservedNames.has(name.toLowerCase()) || /\.(git|lock)$/i.test(name);
}

export function createUserService(db: Database): UserService {
  return {
    async get(id) {
      const row = await findUser(db, id);
      if (!row) throw new AppError("not_found");
      return row;
    },
    async ensureAdmin(username, password) {
      checkAccount(username, password);
      const passwordHash = await hash(password);
      return db.transaction(async (tx) => {
        const existing = await findUserByName(tx, username);
        if (existing) {
          await setPassword(tx, existing.id, passwordHash);
          return { ...existing, is_admin: true };
        }
        const row = await insertUser(tx, { id: newId("usr"), username, isAdmin: true, passwordHash });
        if (!row) throw new AppError("conflict", { message: "The name is taken." });
        return row;
      });
    },
  };
}

function checkAccount(username: string, password: string): void {
  const errors = [];
  if (!ownerName.safeParse(username).success || isReservedOwnerName(username))
    errors.push({ field: "username", code: "invalid", message: "This cannot be a user name." });
  if (password.length < 10 || password.length > 1000)
    errors.push({ field: "password", code: "too_short", message: "10 to 1000 characters are required." });
  if (errors.length > 0) throw new AppError("validation_failed", { errors });
}
