/** Accounts of people and programs, how they sign in, and their credentials: sessions, tokens, keys, apps. */
import type { Config } from "../../config/config.ts";
import { joinLifecycles } from "../../platform/lifecycle.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Operation } from "../operation/domain.ts";
import type { Policy } from "../policy/domain.ts";
import { composeAccountMail } from "./emails/account-mails.ts";
import { createEmailService } from "./emails/service.ts";
import { createGpgKeyService } from "./gpg-keys/service.ts";
import { createOpenPgpSigners } from "./gpg-keys/signers.ts";
import { createActorResumption } from "./identity/resume.ts";
import { createIdentityService } from "./identity/service.ts";
import { createOAuthAppService } from "./oauth/apps.ts";
import { createConsentService } from "./oauth/consent.ts";
import { createGrantService } from "./oauth/grants.ts";
import { createOAuthTokenService } from "./oauth/tokens.ts";
import { createOwnerService } from "./owners/service.ts";
import { createPasskeyService } from "./passkeys/service.ts";
import { createPasswordReset } from "./passwords/password-reset.ts";
import { createPasswords, type PasswordCost, type Passwords } from "./passwords/passwords.ts";
import { createSessionService, type SessionService } from "./sessions/service.ts";
import { createAttempts } from "./sign-in/attempts.ts";
import { createPasswordCheck } from "./sign-in/password-check.ts";
import { createSignInService } from "./sign-in/service.ts";
import { createDeployKeys } from "./ssh-keys/deploy-keys.ts";
import { createKeyOwners } from "./ssh-keys/key-owners.ts";
import { createSshSigners } from "./ssh-keys/signers.ts";
import { createSshKeyService } from "./ssh-keys/service.ts";
import { createBotTokenService } from "./tokens/bot-tokens.ts";
import type { VisibleNames } from "./tokens/named-token.ts";
import { createTokenService, type TokenService } from "./tokens/service.ts";
import { encryptedFactors } from "./two-factor/encrypted-factors.ts";
import { createRecoveryKeys } from "./two-factor/recovery-keys.ts";
import { createTwoFactorService } from "./two-factor/service.ts";
import { createUserAdministration, type SuspensionHandler } from "./users/administration.ts";
import { createBotUserService } from "./users/bot-users.ts";
import { createUserService, type UserService } from "./users/service.ts";

export interface AccountsDeps {
  config: Config;
  platform: Platform;
  policy: Policy;
  operation: Operation;
  visibleNames: VisibleNames;
  /** For tests, which hash many passwords: weaker than passwords need. */
  passwordCost?: PasswordCost | undefined;
}

export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts(deps: AccountsDeps) {
  const { config, platform, operation, visibleNames } = deps;
  const { db, logger, addresses } = platform;
  const { authorizer } = deps.policy;
  const { mail } = operation;
  const { webUrl } = addresses;
  const passwords = createPasswords(deps.passwordCost);
  const sessions = createSessionService(db);
  const tokens = createTokenService({ db, authorizer, visibleNames });
  const { periods } = config;
  const identity = createIdentityService({ db, sessions, tokens, logger, webUrl, periods });
  const ofUsers = createUsers({ ...deps, passwords, sessions, tokens });
  const { users } = ofUsers;
  const oauth = createOAuth(platform);
  const keyHolders = createKeyOwners({ db, logger });
  const onSuspension: SuspensionHandler[] = [];
  const hasPages = config.webDir !== undefined;
  operation.mailer.composeBy(() => composeAccountMail({ db, mail, addresses, hasPages }));
  return {
    identity,
    ...ofUsers,
    userAdministration: createUserAdministration({
      db,
      onSuspension,
      endSessions: sessions.endAll,
      endGrantedTokens: (tx, userId) => oauth.grants.endAll(tx, "user", userId),
    }),
    /** Other domains that a suspension concerns change their records here, in its transaction. */
    onSuspension: (handler: SuspensionHandler) => void onSuspension.push(handler),
    emails: createEmailService({ db, users, mail, addresses }),
    passwordReset: createPasswordReset({ db, users }),
    sessions,
    ...createSignIn({ ...deps, users, passwords, sessions }),
    ...createKeys(platform, users),
    keyHolders,
    resumeActor: createActorResumption({ db, keyHolders }),
    tokens,
    botTokens: createBotTokenService({ db, authorizer, visibleNames }),
    ...oauth,
    lifecycle: joinLifecycles([identity]),
  };
}

/** The accounts of people and bots, and the names that they share with organizations. */
function createUsers({ platform, operation, passwords, sessions, tokens }: AccountsDeps & UserParts) {
  const { db, addresses } = platform;
  const owners = createOwnerService();
  const endSessions = sessions.endAll;
  return {
    owners,
    users: createUserService({ ...operation, db, owners, passwords, endSessions, addresses }),
    botUsers: createBotUserService({ owners, tokens }),
  };
}

interface UserParts {
  passwords: Passwords;
  sessions: SessionService;
  tokens: TokenService;
}

/** Keys of people and repositories, and what they sign. */
function createKeys({ db }: Platform, users: UserService) {
  return {
    sshKeys: createSshKeyService({ db, users }),
    deployKeys: createDeployKeys(db),
    gpgKeys: createGpgKeyService({ db, users }),
    commitSigners: { ...createSshSigners({ db }), ...createOpenPgpSigners({ db }) },
  };
}

function createOAuth({ db, addresses }: Platform) {
  const grants = createGrantService(db);
  return {
    grants,
    oauthApps: createOAuthAppService({ db, grants }),
    oauthTokens: createOAuthTokenService(db),
    consent: createConsentService({ db, issuer: addresses.authUrl }),
  };
}

type SignInParts = Omit<Parameters<typeof createSignInService>[0], "db" | "passwordCheck" | "twoFactor">;

function createSignIn({ platform, operation, ...parts }: AccountsDeps & SignInParts) {
  const { db, instanceKeys } = platform;
  const { webUrl } = platform.addresses;
  const attempts = createAttempts({ db, rateLimits: operation.rateLimits });
  const passwordCheck = createPasswordCheck({ ...parts, db, attempts });
  const shared = { ...parts, db, passwordCheck };
  const sealing = {
    encryption: instanceKeys.encryption("two_factor"),
    recoveryKeys: createRecoveryKeys(instanceKeys),
  };
  operation.encryptedRecords.add("two_factor", encryptedFactors(sealing));
  const twoFactor = createTwoFactorService({
    ...shared,
    ...sealing,
    // What apps for one-time codes show.
    issuer: new URL(webUrl).hostname,
  });
  return {
    attempts,
    twoFactor,
    passkeys: createPasskeyService({ ...shared, webUrl }),
    signIn: createSignInService({ ...shared, twoFactor }),
  };
}

// What other domains and the edges may use.
export { presentGpgKey } from "./gpg-keys/present.ts";
export { credentialOf } from "./identity/resume.ts";
export { presentEmail } from "./emails/present.ts";
export { destinationOf } from "./oauth/authorize-request.ts";
export { OAuthError } from "./oauth/oauth-error.ts";
export {
  presentOAuthApp,
  presentOAuthAppSecret,
  presentOAuthGrant,
  presentOAuthRequest,
} from "./oauth/present.ts";
export { presentPasskey } from "./passkeys/present.ts";
export { presentSession } from "./sessions/present.ts";
export { recordSignInFailure } from "./sign-in/record-failure.ts";
export { keyInUse, readKey } from "./ssh-keys/read-key.ts";
export { presentSshKey } from "./ssh-keys/present.ts";
export { presentToken, presentTokenAt } from "./tokens/present.ts";
export { requireScopesOf } from "./tokens/subset.ts";
export { commitIdentity, noReply } from "./users/commit-identity.ts";
export { actingFor } from "./identity/acting-for.ts";
export { isReservedOwnerName } from "./users/names.ts";
export { presentAdministeredUser, presentEventUser, presentOwnUser, presentUser } from "./users/present.ts";
export type { EmailService } from "./emails/service.ts";
export type { IdentityService } from "./identity/service.ts";
export type { OAuthAppService, RegisteredApp } from "./oauth/apps.ts";
export type { AuthorizeRequest } from "./oauth/authorize-request.ts";
export type { ConsentService } from "./oauth/consent.ts";
export type { GpgKeyService } from "./gpg-keys/service.ts";
export type { CommitSigners, OpenPgpSigner } from "./gpg-keys/signers.ts";
export type { GrantService } from "./oauth/grants.ts";
export type { OAuthTokenService } from "./oauth/tokens.ts";
export type { OwnerService } from "./owners/service.ts";
export type { PasskeyService } from "./passkeys/service.ts";
export type { PasswordReset } from "./passwords/password-reset.ts";
export type { PasswordCost } from "./passwords/passwords.ts";
export type { OpenedSession, SessionService } from "./sessions/service.ts";
export type { Attempts } from "./sign-in/attempts.ts";
export type { SignInService } from "./sign-in/service.ts";
export type { DeployKeyRow } from "./ssh-keys/deploy-keys.store.ts";
export type { DeployKeys } from "./ssh-keys/deploy-keys.ts";
export type { KeyOwner, KeyOwners } from "./ssh-keys/key-owners.ts";
export type { Signer } from "./ssh-keys/signers.ts";
export type { SshKeyService } from "./ssh-keys/service.ts";
export type { BotTokenService } from "./tokens/bot-tokens.ts";
export type { TokenService } from "./tokens/service.ts";
export type { TokenRequest } from "./tokens/create.ts";
export type { NamedToken, NewToken } from "./tokens/named-token.ts";
export type { TwoFactorService } from "./two-factor/service.ts";
export type { UserAdministration } from "./users/administration.ts";
export type { BotUserService } from "./users/bot-users.ts";
export type { Notice, SignInUser, UserService } from "./users/service.ts";
export type { UserSnapshot } from "./users/present.ts";
export type { UserRow } from "./users/users.store.ts";
