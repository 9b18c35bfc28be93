/**
 * The token endpoint: exchanges codes and refresh tokens for new tokens, and revokes tokens. Codes and refresh tokens work
 * once; a second use means that one was stolen, so everything issued from it ends.
 */
import { createHash } from "node:crypto";
import type { Scope } from "@forgeline/schemas/core/scopes.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { hashToken } from "../../../platform/credentials/credential.ts";
import type { ClientRow } from "./app.store.ts";
import { authenticateClient } from "./client-auth.ts";
import { deleteFamilies, lockGrant, type LockedGrant } from "./grant.store.ts";
import { announceEndedTokens } from "./grants.ts";
import { actorFor, issueTokens, type TokenAnswer } from "./issue.ts";
import { OAuthError } from "./oauth-error.ts";
import { parseScopeList } from "./scope-list.ts";
import * as store from "./token.store.ts";

type Form = ReadonlyMap<string, string>;
type RequestFacts = NonNullable<Actor["request"]>;

/** Throws `OAuthError`. */
export interface OAuthTokenService {
  /** The app that makes the request, by its `Authorization` header or fields of the form. */
  authenticate(authorization: string | undefined, form: Form): Promise<ClientRow>;
  grant(client: ClientRow, form: Form, request: RequestFacts): Promise<TokenAnswer>;
  /** RFC 7009: with a refresh token, its whole family is revoked. Unknown tokens and those of other apps are no error. */
  revoke(client: ClientRow, token: string, request: RequestFacts): Promise<void>;
}

/** Thrown after the commit, so that what a theft has ended stays ended. */
type Outcome = TokenAnswer | OAuthError;

export function createOAuthTokenService(db: Database): OAuthTokenService {
  async function settled(work: (tx: Transaction) => Promise<Outcome>): Promise<TokenAnswer> {
    const outcome = await db.transaction(work);
    if (outcome instanceof OAuthError) throw outcome;
    return outcome;
  }

  return {
    authenticate: (authorization, form) => authenticateClient(db, authorization, form),
    grant(client, form, request) {
      const type = form.get("grant_type") ?? "authorization_code";
      if (type === "authorization_code") return settled((tx) => exchange(tx, { client, request }, form));
      if (type === "refresh_token") return settled((tx) => refresh(tx, { client, request }, form));
      throw new OAuthError("unsupported_grant_type", "Use authorization_code or refresh_token.");
    },
    revoke: (client, token, request) => db.transaction((tx) => revoke(tx, { client, request }, token)),
  };
}

const badCode = () =>
  new OAuthError("invalid_grant", "The code is unknown, used, expired, or not meant for this request.");
const badRefreshToken = () =>
  new OAuthError("invalid_grant", "The refresh token is unknown, used, expired or revoked.");

function required(form: Form, name: string): string {
  const value = form.get(name);
  if (value === undefined) throw new OAuthError("invalid_request", `${name} is missing.`);
  return value;
}

/** The grant behind a code or token of this app, locked. */
async function ownGrant(
  tx: Transaction,
  client: ClientRow,
  grantId: string | undefined,
): Promise<LockedGrant | undefined> {
  const grant = grantId === undefined ? undefined : await lockGrant(tx, grantId);
  return grant?.app_id === client.id ? grant : undefined;
}

async function exchange(
  tx: Transaction,
  { client, request }: { client: ClientRow; request: RequestFacts },
  form: Form,
): Promise<Outcome> {
  const hash = hashToken(required(form, "code"));
  const redirectUri = required(form, "redirect_uri");
  const grant = await ownGrant(tx, client, await store.grantOfCode(tx, hash));
  const code = grant && (await store.readCode(tx, hash));
  if (!code) return badCode();
  if (code.used) {
    if (code.family_id !== null)
      await endFamily(
        tx,
        { client, grant, request },
        { familyId: code.family_id, action: "oauth.code_reuse" },
      );
    return badCode();
  }
  // A code that was sent to an address which the app has since removed is not trusted.
  const fits =
    code.redirect_uri === redirectUri &&
    client.redirect_uris.includes(redirectUri) &&
    answers(code.challenge, form.get("code_verifier"));
  const familyId =
    fits && !code.expired && !grant.suspended ? await store.insertFamily(tx, grant.id, code.scopes) : null;
  await store.markCodeUsed(tx, hash, familyId);
  if (familyId === null) return badCode();
  await recordAudit(tx, actorFor(grant, request), {
    action: "oauth.token_issue",
    target: { type: "oauth_app", id: client.id, name: client.name },
    details: { grant_id: grant.id, scopes: code.scopes },
  });
  return issueTokens(tx, client, { grant, familyId, scopes: code.scopes });
}

/** PKCE both ways: a verifier without a challenge is refused too, or leaving the challenge out would go unseen. */
function answers(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined;
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  return createHash("sha256").update(verifier).digest("base64url") === challenge;
}

async function refresh(
  tx: Transaction,
  { client, request }: { client: ClientRow; request: RequestFacts },
  form: Form,
): Promise<Outcome> {
  const hash = hashToken(required(form, "refresh_token"));
  const grant = await ownGrant(tx, client, await store.grantOfRefreshToken(tx, hash));
  const row = grant && (await store.readRefreshToken(tx, hash));
  if (!row) return badRefreshToken();
  if (row.used) {
    await endFamily(
      tx,
      { client, grant, request },
      { familyId: row.family_id, action: "oauth.refresh_reuse" },
    );
    return badRefreshToken();
  }
  if (row.expired || grant.suspended) return badRefreshToken();
  const scopes = narrowed(row.scopes, form.get("scope"));
  if (!scopes)
    return new OAuthError(
      "invalid_scope",
      "A refreshed token cannot have more scopes than the original one.",
    );
  await store.markRefreshTokenUsed(tx, hash);
  return issueTokens(tx, client, { grant, familyId: row.family_id, scopes });
}

function narrowed(held: readonly Scope[], asked: string | undefined): readonly Scope[] | undefined {
  if (asked === undefined) return held;
  const scopes = parseScopeList(asked);
  return scopes && scopes.length > 0 && scopes.every((scope) => held.includes(scope)) ? scopes : undefined;
}

type EndingKind = "oauth.revoke" | "oauth.code_reuse" | "oauth.refresh_reuse";

interface Ending {
  client: ClientRow;
  grant: LockedGrant;
  request: RequestFacts;
}

async function endFamily(
  tx: Transaction,
  ending: Ending,
  { familyId, action }: { familyId: string; action: EndingKind },
): Promise<void> {
  await announceEndedTokens(tx, await deleteFamilies(tx, "family", familyId));
  await recordEnd(tx, ending, action);
}

async function recordEnd(
  tx: Transaction,
  { client, grant, request }: Ending,
  action: EndingKind,
): Promise<void> {
  await recordAudit(tx, actorFor(grant, request), {
    action,
    target: { type: "oauth_app", id: client.id, name: client.name },
    details: { grant_id: grant.id, ...(action === "oauth.revoke" ? { by: "client" } : {}) },
  });
}

async function revoke(
  tx: Transaction,
  { client, request }: { client: ClientRow; request: RequestFacts },
  token: string,
): Promise<void> {
  const hash = hashToken(token);
  const isRefresh = token.startsWith("svc_refresh_");
  const grantId = await (isRefresh
    ? store.grantOfRefreshToken(tx, hash)
    : store.grantOfAccessToken(tx, hash));
  const grant = await ownGrant(tx, client, grantId);
  if (!grant) return;
  const ending = { client, grant, request };
  if (!isRefresh) {
    const id = await store.deleteAccessToken(tx, hash);
    if (id === undefined) return;
    await announceEndedTokens(tx, [id]);
    await recordEnd(tx, ending, "oauth.revoke");
    return;
  }
  const row = await store.readRefreshToken(tx, hash);
  if (row) await endFamily(tx, ending, { familyId: row.family_id, action: "oauth.revoke" });
}
