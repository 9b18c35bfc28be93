/**
 * Password authentication: to sign in, and again before anything that could take the account over. Nothing shows whether a name
 * exists: each case has the same statements, one hash computation, and the same answer.
 */
import type { SignIn } from "@forgeline/schemas/sessions/resource.ts";
import type { Database } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { OpenedSession, SessionService } from "../sessions/service.ts";
import type { TwoFactorService } from "../two-factor/service.ts";
import type { Passwords } from "../passwords/passwords.ts";
import type { SignInUser, UserService } from "../users/service.ts";
import type { Attempt } from "./attempts.ts";
import type { PasswordCheck } from "./password-check.ts";
import { recordSignInFailure } from "./record-failure.ts";

type RequestFacts = NonNullable<Actor["request"]>;

export interface SignInService {
  /**
   * Throws `unauthorized` for a wrong name, password or code, or where a code is needed; `forbidden` for a suspended user who knows the password,
   * `rate_limit_exceeded`. `replaces`: the token of the browser's session so far.
   */
  signIn(given: SignIn, request: RequestFacts, replaces: string | undefined): Promise<OpenedSession>;
  /** Ends every session of the user. Throws as `PasswordCheck.confirm` does, and for a password that breaks the rules. */
  changePassword(actor: Actor, current: string, next: string): Promise<void>;
}

export interface SignInDeps {
  db: Database;
  users: UserService;
  sessions: SessionService;
  passwords: Passwords;
  passwordCheck: PasswordCheck;
  twoFactor: Pick<TwoFactorService, "isEnabled" | "use">;
}

interface Welcome {
  /** Undefined where no second factor is on. */
  otp: string | undefined;
  request: RequestFacts;
  replaces: string | undefined;
}

export function createSignInService(deps: SignInDeps): SignInService {
  const { db, users, sessions, passwords, passwordCheck } = deps;

  /** Undefined when the code of the second factor is wrong; it is used up together with the opening of the session. */
  async function welcome(
    user: SignInUser,
    attempt: Attempt,
    how: Welcome,
  ): Promise<OpenedSession | undefined> {
    return db.transaction(async (tx) => {
      const { otp, request, replaces } = how;
      const secondFactor = otp === undefined ? undefined : await deps.twoFactor.use(tx, user.id, otp);
      if (otp !== undefined && !secondFactor) return undefined;
      await attempt.succeeded(tx);
      return sessions.open(tx, user, { method: "password", secondFactor, request, replaces });
    });
  }

  return {
    async signIn({ username, password, otp }, request, replaces) {
      const user = await users.findForSignIn(username);
      const account = user?.id ?? username.toLowerCase();
      const tried = { account, ipAddress: request.ipAddress, signedIn: false };
      const attempt = await passwordCheck.check(user, tried, { password, request });
      if (!user || !attempt)
        throw new AppError("unauthorized", { message: "The name or the password is wrong." });
      if (user.suspended) throw new AppError("forbidden", { message: "This account is suspended." });
      if (user.passwordHash && passwords.isOutdated(user.passwordHash))
        await users.rehash(user.id, user.passwordHash, password);
      const needsCode = await deps.twoFactor.isEnabled(db, user.id);
      if (needsCode && otp === undefined) {
        await attempt.undone();
        throw codeNeeded("A second-factor code is required.");
      }
      const opened = await welcome(user, attempt, { otp: needsCode ? otp : undefined, request, replaces });
      if (opened) return opened;
      await db.transaction((tx) =>
        recordSignInFailure(tx, { user, request }, { method: "password", second_factor: "otp" }),
      );
      throw codeNeeded("The code is wrong or has already been used.");
    },
    async changePassword(actor, current, next) {
      await passwordCheck.confirm(actor, current, "current_password");
      await users.setPassword(actor, next);
    },
  };
}

function codeNeeded(message: string): AppError {
  return new AppError("unauthorized", { message, extra: { two_factor_required: true } });
}
