/** Somebody has agreed: what they have allowed is noted, and the app gets a code for it. */
import type { Database } from "../../db/database.ts";
import { newId } from "../../platform/ids.ts";
import { recordAudit } from "../audit/record.ts";
import { userIdOf, type Actor } from "../identity/actor.ts";
import { hashToken, newOAuthSecret } from "../identity/credential.ts";
import { redirectBack, type AuthorizeRequest } from "./authorize-request.ts";
import { widenGrant } from "./grant-store.ts";
import { insertCode } from "./token-store.ts";

export interface ConsentService {
  /** Where to send the person, with a code for the app. */
  allow(actor: Actor, request: AuthorizeRequest): Promise<string>;
  /** The same with the news that they did not agree; nothing is noted. */
  deny(request: AuthorizeRequest): string;
}

export function createConsentService(deps: { db: Database; issuer: string }): ConsentService {
  const { db, issuer } = deps;
  return {
    async allow(actor, request) {
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
    },
    deny: (request) =>
      redirectBack(issuer, request, {
        error: "access_denied",
        error_description: "The request was denied.",
      }),
  };
}
