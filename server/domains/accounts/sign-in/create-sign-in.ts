/** What signs people in and slows those who guess, made together. */
import type { Database } from "../../../platform/db/database.ts";
import type { InstanceKey } from "../../../platform/instance-key.ts";
import type { RateLimits } from "../../operation/limits/service.ts";
import { createPasskeyService, type PasskeyService } from "../passkeys/service.ts";
import type { SessionService } from "../sessions/service.ts";
import { createTwoFactorService, type TwoFactorService } from "../two-factor/service.ts";
import type { Passwords } from "../passwords/passwords.ts";
import type { UserService } from "../users/service.ts";
import { createAttempts, type Attempts } from "./attempts.ts";
import { createSignInService, type SignInService } from "./service.ts";

export interface SignInServices {
  attempts: Attempts;
  twoFactor: TwoFactorService;
  passkeys: PasskeyService;
  signIn: SignInService;
}

export interface SignInServicesDeps {
  db: Database;
  rateLimits: RateLimits;
  users: UserService;
  sessions: SessionService;
  passwords: Passwords;
  instanceKey: InstanceKey;
  /** `https://HOST`: what passkeys are bound to, and what apps for one-time codes show. */
  webUrl: string;
}

export function createSignIn(deps: SignInServicesDeps): SignInServices {
  const attempts = createAttempts(deps);
  const twoFactor = createTwoFactorService({
    ...deps,
    secretKey: deps.instanceKey.derive("two_factor"),
    recoveryKey: deps.instanceKey.derive("recovery_code"),
    issuer: new URL(deps.webUrl).hostname,
  });
  const passkeys = createPasskeyService(deps);
  return { attempts, twoFactor, passkeys, signIn: createSignInService({ ...deps, attempts, twoFactor }) };
}
