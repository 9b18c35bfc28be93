/**
 * Signing in through an organization's provider. It signs in those accounts only whose users linked them, by proving
 * their password here, or that it made itself; never by an address of e-mail, which a provider can say as it likes; and
 * never an administrator of the instance.
 */
import type { Database } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import {
  type OpenedSession,
  type SessionService,
  recordSignInFailure,
  type TwoFactorService,
  type SignInUser,
  type UserService,
} from "../../accounts/domain.ts";
import { hashBinding, newBinding, stateMatches } from "./binding.ts";
import { isOfDomains, type Claims } from "./claims.ts";
import type { SsoConfigurationService } from "./configuration.ts";
import { findConfiguration, findOffered, type ConfigurationRow } from "./configuration.store.ts";
import { insertArrival, insertFlow, takeFlow, type Flow } from "./flow.store.ts";
import { findIdentity, markUsed, type IdentityRow } from "./identity.store.ts";
import { ProviderProblem } from "./provider-problem.ts";
import type { Providers } from "./provider.ts";

export type RequestFacts = NonNullable<Actor["request"]>;

/** A browser that comes back from a provider. */
export interface ProviderCallback {
  organizationId: string;
  /** Of its cookie. */
  binding: string | undefined;
  query: URLSearchParams;
  request: RequestFacts;
  /** The token of its session so far. */
  replaces: string | undefined;
}

export type SsoOutcome =
  | { kind: "signed_in"; session: OpenedSession; next: string | null }
  /** A step is still open; for the cookie. */
  | { kind: "asked"; binding: string };

export interface SsoSignInService {
  /** Throws `not_found` where nobody can sign in this way, `unavailable` when the provider cannot be reached. */
  begin(organization: string, next: string | null): Promise<{ location: URL; binding: string }>;
  /**
   * Throws `bad_request` for a sign-in that did not begin in this browser, has expired, or was completed already;
   * `unauthorized` for an invalid answer; `forbidden` for somebody who may not sign in; `unavailable`.
   */
  land(returning: ProviderCallback): Promise<SsoOutcome>;
}

export interface SsoSignInDeps {
  db: Database;
  providers: Pick<Providers, "authorizationUrl" | "claims">;
  ssoConfiguration: Pick<SsoConfigurationService, "clientOf">;
  users: Pick<UserService, "findSignInUser">;
  twoFactor: Pick<TwoFactorService, "isEnabled">;
  sessions: Pick<SessionService, "open">;
  logger: Logger;
}

export function createSsoSignIn(deps: SsoSignInDeps): SsoSignInService {
  const { db } = deps;
  return {
    async begin(organization, next) {
      const row = await findOffered(db, organization);
      if (!row) throw notOffered(organization);
      const binding = newBinding();
      const client = deps.ssoConfiguration.clientOf(row);
      const location = await deps.providers.authorizationUrl(client, binding).catch((error: unknown) => {
        throw toAppError(deps, row, error);
      });
      const { organization_id, issuer, client_id } = row;
      await insertFlow(db, hashBinding(binding), { organization_id, issuer, client_id, next_path: next });
      return { location, binding };
    },
    async land(returning) {
      const row = await findConfiguration(db, returning.organizationId);
      if (!row) throw new AppError("not_found");
      const { flow, binding } = await flowOf(deps, row, returning);
      const claims = await claimsOf(deps, row, { ...returning, binding });
      const { subject } = claims;
      const who = { organizationId: row.organization_id, issuer: row.issuer, subject };
      const identity = await findIdentity(db, who);
      const user = identity && (await deps.users.findSignInUser(identity.user_id));
      if (user) await refuseUser(deps, user, returning.request);
      if (!identity || !user || (await deps.twoFactor.isEnabled(db, user.id)))
        return ask(deps, { row, flow, claims });
      const session = await openSession(deps, { identity, user, returning });
      return { kind: "signed_in", session, next: flow.next_path };
    },
  };
}

function notOffered(organization: string): AppError {
  return new AppError("not_found", { message: `${organization} has no single sign-on.` });
}

/** The provider is not contacted, and the flow not used up, before it is certain that it began in this browser. */
async function flowOf(
  deps: SsoSignInDeps,
  row: ConfigurationRow,
  { binding, query, request }: ProviderCallback,
): Promise<{ flow: Flow; binding: string }> {
  const organizationId = row.organization_id;
  const fail = async (reason: string) => {
    await recordFailure(deps, undefined, { request, reason, organizationId });
    return new AppError("bad_request", {
      message:
        "This sign-in was started in another browser, has expired, or is already complete. Start again.",
    });
  };
  if (binding === undefined || !stateMatches(binding, query.get("state") ?? ""))
    throw await fail("wrong_browser");
  const flow = await takeFlow(deps.db, hashBinding(binding), organizationId);
  if (!flow) throw await fail("used_or_expired");
  if (!row.enabled || flow.issuer !== row.issuer || flow.client_id !== row.client_id)
    throw await fail("configuration_changed");
  return { flow, binding };
}

async function claimsOf(
  deps: SsoSignInDeps,
  row: ConfigurationRow,
  { binding, query, request }: ProviderCallback & { binding: string },
): Promise<Claims> {
  const organizationId = row.organization_id;
  const client = deps.ssoConfiguration.clientOf(row);
  const claims = await deps.providers.claims(client, binding, query).catch(async (error: unknown) => {
    if (error instanceof ProviderProblem)
      await recordFailure(deps, undefined, { request, reason: error.reason, organizationId });
    throw toAppError(deps, row, error);
  });
  if (isOfDomains(claims, row.email_domains)) return claims;
  await recordFailure(deps, undefined, { request, reason: "email_domain", organizationId });
  throw new AppError("forbidden", {
    message: `${row.organization} only accepts verified addresses in ${row.email_domains.join(", ")}.`,
  });
}

/** Throws `forbidden` for users whom no provider may sign in. */
export async function refuseUser(
  deps: Pick<SsoSignInDeps, "db">,
  user: SignInUser,
  request: RequestFacts,
): Promise<void> {
  if (!user.suspended && !user.isAdmin) return;
  await recordFailure(deps, user, { request, reason: user.suspended ? "suspended" : "administrator" });
  throw new AppError("forbidden", {
    message: user.suspended
      ? "This account is suspended."
      : "Instance administrators must sign in with a password or a passkey.",
  });
}

async function ask(
  { db }: SsoSignInDeps,
  { row, flow, claims }: { row: ConfigurationRow; flow: Flow; claims: Claims },
): Promise<SsoOutcome> {
  const binding = newBinding();
  await insertArrival(db, hashBinding(binding), {
    organization_id: row.organization_id,
    issuer: row.issuer,
    subject: claims.subject,
    email: claims.email,
    display_name: claims.displayName,
    suggested_username: claims.suggestedUsername,
    next_path: flow.next_path,
  });
  return { kind: "asked", binding };
}

function openSession(
  { db, sessions }: SsoSignInDeps,
  { identity, user, returning }: { identity: IdentityRow; user: SignInUser; returning: ProviderCallback },
): Promise<OpenedSession> {
  const { request, replaces } = returning;
  return db.transaction(async (tx) => {
    if (!(await markUsed(tx, identity.id))) throw new AppError("unauthorized");
    const sso = { identityId: identity.id, organization: identity.organization };
    return sessions.open(tx, user, { method: "sso", sso, request, replaces });
  });
}

export async function recordFailure(
  { db }: Pick<SsoSignInDeps, "db">,
  user: SignInUser | undefined,
  facts: { request: RequestFacts; reason: string; organizationId?: string },
): Promise<void> {
  const { request, ...more } = facts;
  await db.transaction((tx) => recordSignInFailure(tx, { user, request }, { method: "SSO", ...more }));
}

/** The operator sees the library's message; the person sees what to do. Neither sees what the provider sent. */
function toAppError(deps: SsoSignInDeps, row: ConfigurationRow, error: unknown): unknown {
  if (!(error instanceof ProviderProblem)) return error;
  const { reason, message, cause } = error;
  const { message: text, code } = (cause ?? {}) as { message?: string; code?: string };
  deps.logger.warn({ organization_id: row.organization_id, reason, code, error: text }, "a sign-in failed");
  if (reason === "denied") return new AppError("forbidden", { message });
  if (reason === "unreachable" || reason === "discovery" || reason === "client_refused")
    return new AppError("unavailable", {
      message: `The identity provider of ${row.organization} is not working: ${message} Contact an owner of ${row.organization}.`,
    });
  return new AppError("unauthorized", { message });
}
