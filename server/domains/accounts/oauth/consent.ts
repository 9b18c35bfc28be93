/** Consent: the user allows or denies an app's request; what was allowed is recorded, and the app gets a code. */
import type { Database } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { invalidField } from "../../../platform/app-error.ts";
import { recordAudit } from "../../operation/domain.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import { hashToken, newOAuthSecret } from "../../../platform/credentials/credential.ts";
import { judgeRequest, redirectBack, type AuthorizeRequest, type Judgement } from "./authorize-request.ts";
import { widenGrant } from "./grant.store.ts";
import { insertCode } from "./token.store.ts";

export interface ConsentService {
  /** An authorization request as it stands in an address. */
  judge(search: URLSearchParams): Promise<Judgement>;
  /** `query`: of an authorization request, as it came. Throws `validation_failed` for one that cannot be agreed to. */
  read(query: string): Promise<AuthorizeRequest>;
  /** Where to send the person, with a code for the app. */
  allow(actor: Actor, request: AuthorizeRequest): Promise<string>;
  /** The same for a refusal; nothing is recorded. */
  deny(request: AuthorizeRequest): string;
  /** Like `read`, followed by `allow` or `deny`. */
  decide(actor: Actor, query: string, decision: "allow" | "deny"): Promise<string>;
}

export function createConsentService(deps: { db: Database; issuer: string }): ConsentService {
  const { db, issuer } = deps;
  const judge = (search: URLSearchParams) => judgeRequest(db, issuer, search);

  const read: ConsentService["read"] = async (query) => {
    const judgement = await judge(new URLSearchParams(query));
    if (judgement.kind === "ask") return judgement.request;
    const message = problemIn(judgement);
    throw invalidField("request", "invalid", message);
  };

  const allow: ConsentService["allow"] = async (actor, request) => {
    const { app, scopes, redirectUri, challenge } = request;
    const code = newOAuthSecret("code");
    await db.transaction(async (tx) => {
      const userId = userIdOf(actor);
      const grantId = await widenGrant(tx, { id: newId("grt"), appId: app.id, userId, scopes });
      await insertCode(tx, { hash: hashToken(code), grantId, redirectUri, scopes, challenge });
      await recordAudit(tx, actor, {
        action: "oauth.authorize",
        target: { type: "oauth_app", id: app.id, name: app.name },
        details: { grant_id: grantId, scopes },
      });
    });
    return redirectBack(issuer, request, { code });
  };

  const deny: ConsentService["deny"] = (request) =>
    redirectBack(issuer, request, {
      error: "access_denied",
      error_description: "The request was denied.",
    });

  return {
    judge,
    read,
    allow,
    deny,
    async decide(actor, query, decision) {
      const request = await read(query);
      return decision === "allow" ? allow(actor, request) : deny(request);
    },
  };
}

/** What the app would be told, for the person. */
function problemIn(judgement: Exclude<Judgement, { kind: "ask" }>): string {
  if (judgement.kind === "show") return judgement.message;
  const told = new URL(judgement.location).searchParams.get("error_description");
  return told || "The app asks for something this server does not know.";
}
