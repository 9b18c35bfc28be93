/** The second factor of an account. No code is accepted twice, not even in simultaneous requests. */
import { generateSecret, generateURI } from "otplib";
import type { TwoFactor } from "@forgeline/schemas/two-factor/resource.ts";
import type { Database, Queryable, Transaction } from "../../../platform/db/database.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import { recordAudit } from "../../operation/domain.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { PasswordCheck } from "../sign-in/password-check.ts";
import type { UserService } from "../users/service.ts";
import { hashRecoveryCode, newRecoveryCodes, periodOf } from "./codes.ts";
import type { RecoveryKeys } from "./recovery-keys.ts";
import * as store from "./two-factor.store.ts";

export interface TwoFactorService {
  get(actor: Actor): Promise<TwoFactor>;
  isEnabled(db: Queryable, userId: string): Promise<boolean>;
  /** A new secret, not in force yet. Throws `conflict` when a second factor is on, and as `PasswordCheck.confirm`. */
  prepare(actor: Actor, password: string): Promise<{ secret: string; uri: string }>;
  /** Turns it on. Throws `validation_failed` for a wrong code, `conflict` without a secret or when it is on. */
  enable(actor: Actor, code: string): Promise<string[]>;
  /** Throws `conflict` if none is on, and like `PasswordCheck.confirm`; so does `disable`. */
  renewRecoveryCodes(actor: Actor, password: string): Promise<string[]>;
  disable(actor: Actor, password: string): Promise<void>;
  /** For an administrator, who does not know the user's password. Throws `not_found`, and `conflict` when none is on. */
  disableFor(actor: Actor, username: string): Promise<void>;
  /** Uses a code or recovery code up; undefined when it is wrong or was used. In the transaction of what it is for. */
  use(tx: Transaction, userId: string, code: string): Promise<"otp" | "recovery_code" | undefined>;
}

export interface TwoFactorDeps {
  db: Database;
  users: Pick<UserService, "notify" | "getByName">;
  passwordCheck: Pick<PasswordCheck, "confirm">;
  encryption: Encryption;
  recoveryKeys: RecoveryKeys;
  /** Name that the app shows beside the user's. */
  issuer: string;
}

export function createTwoFactorService(deps: TwoFactorDeps): TwoFactorService {
  const { db } = deps;
  const targetOf = (user: { id: string; username: string }) => ({
    type: "user",
    id: user.id,
    name: user.username,
  });

  async function issueCodes(tx: Transaction, userId: string): Promise<string[]> {
    const codes = newRecoveryCodes();
    const key = deps.recoveryKeys.make(userId);
    const hashes = codes.map((code) => hashRecoveryCode(key.bytes, userId, code));
    await store.replaceRecoveryCodes(tx, userId, { sealedKey: key.sealed, hashes });
    return codes;
  }

  /** Whether the code is right and now used up. */
  async function useOtp(
    tx: Transaction,
    { userId, row }: { userId: string; row: store.TwoFactorRow },
    code: string,
  ) {
    const period = periodOf(deps.encryption.decrypt(userId, row.sealed_secret), code);
    return period !== undefined && (await store.usePeriod(tx, userId, period));
  }

  const confirm = (actor: Actor, password: string) => deps.passwordCheck.confirm(actor, password, "password");

  const remove = (actor: Actor, user: { id: string; username: string }) =>
    db.transaction(async (tx) => {
      if (!(await store.deleteTwoFactor(tx, user.id))) throw notEnabled();
      await recordAudit(tx, actor, { action: "user.two_factor_disable", target: targetOf(user) });
      await deps.users.notify(tx, user.id, disabledNotice);
    });

  return {
    async get(actor) {
      const row = await store.findTwoFactor(db, userIdOf(actor));
      const enabledAt = row?.enabled_at ?? null;
      return {
        enabled: enabledAt !== null,
        enabled_at: enabledAt?.toISOString() ?? null,
        recovery_codes_left: row?.codes_left ?? 0,
      };
    },
    async isEnabled(queryable, userId) {
      return Boolean((await store.findTwoFactor(queryable, userId))?.enabled_at);
    },
    async prepare(actor, password) {
      await confirm(actor, password);
      const userId = userIdOf(actor);
      const secret = generateSecret({ length: 20 });
      if (!(await store.storeSecret(db, userId, deps.encryption.encrypt(userId, secret)))) throw alreadyOn();
      return { secret, uri: generateURI({ issuer: deps.issuer, label: actor.username, secret }) };
    },
    enable: (actor, code) =>
      db.transaction(async (tx) => {
        const userId = userIdOf(actor);
        const row = await store.findTwoFactor(tx, userId);
        if (!row) throw new AppError("conflict", { message: "Request a secret first." });
        if (row.enabled_at || !(await store.markEnabled(tx, userId))) throw alreadyOn();
        if (!(await useOtp(tx, { userId, row }, code)))
          throw invalidField("otp", "wrong", "The code does not match the app's current code.");
        await recordAudit(tx, actor, {
          action: "user.two_factor_enable",
          target: targetOf({ id: userId, username: actor.username }),
        });
        return issueCodes(tx, userId);
      }),
    async renewRecoveryCodes(actor, password) {
      await confirm(actor, password);
      return db.transaction(async (tx) => {
        const userId = userIdOf(actor);
        if (!(await store.findTwoFactor(tx, userId))?.enabled_at) throw notEnabled();
        await recordAudit(tx, actor, {
          action: "user.recovery_codes_renew",
          target: targetOf({ id: userId, username: actor.username }),
        });
        return issueCodes(tx, userId);
      });
    },
    async disable(actor, password) {
      await confirm(actor, password);
      await remove(actor, { id: userIdOf(actor), username: actor.username });
    },
    disableFor: async (actor, username) => remove(actor, await deps.users.getByName(username)),
    async use(tx, userId, code) {
      const row = await store.findTwoFactor(tx, userId);
      if (!row?.enabled_at) return undefined;
      if (await useOtp(tx, { userId, row }, code)) return "otp";
      const key = deps.recoveryKeys.open(userId, row.sealed_recovery_key);
      const hash = hashRecoveryCode(key, userId, code);
      return (await store.useRecoveryCode(tx, userId, hash)) ? "recovery_code" : undefined;
    },
  };
}

const disabledNotice = {
  kind: "two_factor_disabled",
  subject: "Your second factor was turned off",
  paragraphs: [
    "your account is now protected only by its password.",
    "If this was not you, change the password and turn the second factor on again.",
  ],
};

function alreadyOn(): AppError {
  return new AppError("conflict", { message: "A second factor is already enabled." });
}

function notEnabled(): AppError {
  return new AppError("conflict", { message: "No second factor is enabled." });
}
