/**
 * Somebody who came back from a provider but is not signed in yet: the account has a second factor, which the provider does not
 * replace; or no account is linked, and the person creates one or signs in to theirs with a password.
 */
import type { SignIn } from "@forgeline/schemas/sessions/resource.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import { anonymousActor, type Actor } from "../../../platform/access/actor.ts";
import type { InstanceSettingsService } from "../../operation/domain.ts";
import type { MemberService } from "../organization-members/service.ts";
import type { OrganizationRef } from "../../policy/domain.ts";
import {
  type OpenedSession,
  type SessionService,
  type Attempts,
  recordSignInFailure,
  type SignInService,
  type TwoFactorService,
  type SignInUser,
  type UserService,
} from "../../accounts/domain.ts";
import { hashBinding } from "./binding.ts";
import { findConfiguration, type ConfigurationRow } from "./configuration.store.ts";
import { findArrival, useArrival, type Arrival } from "./flow.store.ts";
import type { SsoIdentityService } from "./identities.ts";
import { findIdentity, markUsed, type IdentityRow } from "./identity.store.ts";
import { refuseUser, type RequestFacts } from "./sign-in.ts";

export type SsoQuestion =
  | { kind: "code"; organization: string; username: string }
  | {
      kind: "account";
      organization: string;
      issuer: string;
      displayName: string;
      email: string | null;
      suggestedUsername: string;
      /** Whether somebody who is not a member may become one. */
      mayJoin: boolean;
      mayMakeAccount: boolean;
    };

export interface CompletedSignIn {
  session: OpenedSession;
  next: string | null;
  /** The reason why nothing was linked, although the person is signed in. */
  problem?: string;
}

/** The browser's binding, facts about its request, and the token of its present session. */
export interface BrowserRequest {
  binding: string | undefined;
  request: RequestFacts;
  replaces: string | undefined;
}

export interface SsoArrivalService {
  /** All throw `bad_request` if there is no open step for this browser any more. */
  question(answering: BrowserRequest): Promise<SsoQuestion>;
  /** Throws `unauthorized` for a wrong code, `forbidden`, `rate_limit_exceeded`. */
  answerCode(answering: BrowserRequest, code: string): Promise<CompletedSignIn>;
  /** Throws `forbidden`, `validation_failed` and, for a name that is taken, `conflict`. */
  makeAccount(answering: BrowserRequest, username: string): Promise<CompletedSignIn>;
  /** Throws as signing in does. */
  linkAccount(answering: BrowserRequest, given: SignIn): Promise<CompletedSignIn>;
}

export interface SsoArrivalDeps {
  db: Database;
  users: Pick<UserService, "findSignInUser" | "findForSignIn" | "provision">;
  members: Pick<MemberService, "get" | "join">;
  identities: Pick<SsoIdentityService, "link">;
  sessions: Pick<SessionService, "open">;
  signIn: Pick<SignInService, "signIn">;
  twoFactor: Pick<TwoFactorService, "use">;
  attempts: Attempts;
  instanceSettings: Pick<InstanceSettingsService, "requireOpenSignUp">;
}

interface Found {
  hash: Buffer;
  arrival: Arrival;
  row: ConfigurationRow;
  organization: OrganizationRef;
  identity: IdentityRow | undefined;
}

export function createSsoArrivals(deps: SsoArrivalDeps): SsoArrivalService {
  return {
    async question({ binding, request }) {
      const { arrival, row, identity } = await find(deps, binding);
      if (identity) return { kind: "code", organization: row.organization, username: identity.username };
      const closed = await mayMakeAccount(deps, row, request).then(
        () => false,
        () => true,
      );
      return {
        kind: "account",
        organization: row.organization,
        issuer: row.issuer,
        displayName: arrival.display_name,
        email: arrival.email,
        suggestedUsername: arrival.suggested_username,
        mayJoin: row.provision,
        mayMakeAccount: !closed,
      };
    },
    answerCode: (answering, code) => answerCode(deps, answering, code),
    makeAccount: (answering, username) => makeAccount(deps, answering, username),
    linkAccount: (answering, given) => linkAccount(deps, answering, given),
  };
}

function over(): AppError {
  return new AppError("bad_request", {
    message: "This sign-in has expired or is already complete. Start again.",
  });
}

/** The configuration with which it began must still be in force. */
async function find({ db }: SsoArrivalDeps, binding: string | undefined): Promise<Found> {
  const hash = hashBinding(binding ?? "");
  const arrival = binding === undefined ? undefined : await findArrival(db, hash);
  const row = arrival && (await findConfiguration(db, arrival.organization_id));
  if (!arrival || !row?.enabled || row.issuer !== arrival.issuer) throw over();
  const identity = await findIdentity(db, subjectOf(arrival));
  return { hash, arrival, row, organization: { id: row.organization_id, name: row.organization }, identity };
}

function subjectOf({ organization_id: organizationId, issuer, subject }: Arrival) {
  return { organizationId, issuer, subject };
}

async function answerCode(
  deps: SsoArrivalDeps,
  answering: BrowserRequest,
  code: string,
): Promise<CompletedSignIn> {
  const { hash, arrival, identity } = await find(deps, answering.binding);
  const user = identity && (await deps.users.findSignInUser(identity.user_id));
  if (!user) throw over();
  await refuseUser(deps, user, answering.request);
  const { ipAddress } = answering.request;
  const attempt = await deps.attempts.begin({ account: user.id, ipAddress, signedIn: false });
  const session = await deps.db.transaction(async (tx) => {
    const secondFactor = await deps.twoFactor.use(tx, user.id, code);
    if (!secondFactor) return undefined;
    await attempt.succeeded(tx);
    return open(deps, tx, { hash, identity, user, secondFactor, answering });
  });
  if (session) return { session, next: arrival.next_path };
  await deps.db.transaction((tx) =>
    recordSignInFailure(tx, { user, request: answering.request }, { method: "SSO", second_factor: "otp" }),
  );
  throw new AppError("unauthorized", { message: "The code is wrong or has already been used." });
}

interface Opening {
  hash: Buffer;
  identity: Pick<IdentityRow, "id" | "organization">;
  user: { id: string; username: string };
  secondFactor?: "otp" | "recovery_code";
  answering: BrowserRequest;
}

async function open(deps: SsoArrivalDeps, tx: Transaction, opening: Opening): Promise<OpenedSession> {
  const { identity, user, secondFactor, answering } = opening;
  if (!(await useArrival(tx, opening.hash)) || !(await markUsed(tx, identity.id))) throw over();
  const { request, replaces } = answering;
  const sso = { identityId: identity.id, organization: identity.organization };
  return deps.sessions.open(tx, user, { method: "sso", secondFactor, sso, request, replaces });
}

/** Throws `forbidden`. */
async function mayMakeAccount(deps: SsoArrivalDeps, row: ConfigurationRow, request: RequestFacts) {
  if (!row.provision)
    throw new AppError("forbidden", { message: `${row.organization} does not create accounts this way.` });
  if (!row.provision_approved) await deps.instanceSettings.requireOpenSignUp(request.ipAddress);
}

async function makeAccount(
  deps: SsoArrivalDeps,
  answering: BrowserRequest,
  username: string,
): Promise<CompletedSignIn> {
  const { hash, arrival, row, organization, identity } = await find(deps, answering.binding);
  if (identity) throw over();
  await mayMakeAccount(deps, row, answering.request);
  const wanted = { username, email: arrival.email, name: arrival.display_name };
  const session = await deps.db.transaction(async (tx) => {
    const asking: Actor = { ...anonymousActor, request: answering.request };
    const user = await deps.users.provision(tx, asking, wanted);
    const linking = { arrival, organization, mayJoin: true, user, request: answering.request };
    const id = await linkMember(deps, tx, linking);
    return open(deps, tx, { hash, identity: { id, organization: organization.name }, user, answering });
  });
  return { session, next: arrival.next_path };
}

interface Linking {
  arrival: Arrival;
  organization: OrganizationRef;
  /** Otherwise the user must be a member already. */
  mayJoin: boolean;
  user: { id: string; username: string };
  request: RequestFacts;
}

/** Links the account to the provider's identity. Returns the identity's id. */
async function linkMember(deps: SsoArrivalDeps, tx: Transaction, linking: Linking): Promise<string> {
  const { arrival, organization, mayJoin, user, request } = linking;
  const actor: Actor = { ...anonymousActor, kind: "user", userId: user.id, username: user.username, request };
  if (mayJoin) await deps.members.join(tx, actor, organization);
  return deps.identities.link(tx, actor, { ...subjectOf(arrival), organization: organization.name });
}

async function linkAccount(
  deps: SsoArrivalDeps,
  answering: BrowserRequest,
  given: SignIn,
): Promise<CompletedSignIn> {
  const { hash, arrival, row, organization, identity } = await find(deps, answering.binding);
  if (identity) throw over();
  const session = await deps.signIn.signIn(given, answering.request, answering.replaces);
  const settled = { session, next: arrival.next_path };
  try {
    const user = await linkable(deps, row, given.username);
    const linking = { arrival, organization, mayJoin: row.provision, user, request: answering.request };
    await deps.db.transaction(async (tx) => {
      if (!(await useArrival(tx, hash))) throw over();
      await linkMember(deps, tx, linking);
    });
    return settled;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ...settled, problem: error.message };
  }
}

/** For a user who has just entered the password. Throws `forbidden`. */
async function linkable(deps: SsoArrivalDeps, row: ConfigurationRow, name: string): Promise<SignInUser> {
  const user = await deps.users.findForSignIn(name);
  if (!user) throw over();
  if (user.isAdmin)
    throw new AppError("forbidden", {
      message: "Accounts of instance administrators cannot be linked to an organization's provider.",
    });
  if (row.provision) return user;
  const organization = { id: row.organization_id, name: row.organization };
  await deps.members.get(organization, user.username).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    throw new AppError("forbidden", {
      message: `You are not a member of ${row.organization}. Ask an owner to add you, then sign in this way again.`,
    });
  });
  return user;
}
