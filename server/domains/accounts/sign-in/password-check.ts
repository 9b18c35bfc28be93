/** Checks a password against an account, and counts failures. */
import type { Database } from "../../../platform/db/database.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { Passwords } from "../passwords/passwords.ts";
import type { SignInUser, UserService } from "../users/service.ts";
import type { Attempt, Attempts, AttemptedAccount } from "./attempts.ts";
import { recordSignInFailure } from "./record-failure.ts";

export interface GivenPassword {
  password: string;
  request: NonNullable<Actor["request"]>;
}

export interface PasswordCheck {
  /** Undefined when the password is wrong, which is recorded. Throws `rate_limit_exceeded`. */
  check(
    user: SignInUser | undefined,
    tried: AttemptedAccount,
    given: GivenPassword,
  ): Promise<Attempt | undefined>;
  /**
   * Checks the caller's password; to be called before anything that could take the account over. Throws `validation_failed` for
   * `field` when it is wrong, and `rate_limit_exceeded`.
   */
  confirm(actor: Actor, password: string, field: string): Promise<void>;
}

export interface PasswordCheckDeps {
  db: Database;
  users: Pick<UserService, "findSignInUser">;
  passwords: Pick<Passwords, "matches">;
  attempts: Attempts;
}

export function createPasswordCheck({ db, users, passwords, attempts }: PasswordCheckDeps): PasswordCheck {
  const check: PasswordCheck["check"] = async (user, tried, { password, request }) => {
    const attempt = await attempts.begin(tried);
    if (await passwords.matches(user?.passwordHash ?? null, password)) return attempt;
    await db.transaction((tx) => recordSignInFailure(tx, { user, request }, { method: "password" }));
    return undefined;
  };
  return {
    check,
    async confirm(actor, password, field) {
      const user = await users.findSignInUser(userIdOf(actor));
      if (!user || !actor.request) throw new AppError("unauthorized");
      const { request } = actor;
      const tried = { account: user.id, ipAddress: request.ipAddress, signedIn: true };
      const attempt = await check(user, tried, { password, request });
      if (!attempt) throw invalidField(field, "wrong", "The password is wrong.");
      await attempt.succeeded(db);
    },
  };
}
