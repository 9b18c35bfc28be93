/** Issues an access token and its refresh token. */
import type { Scope } from "@forgeline/schemas/core/scopes.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { anonymousActor, type Actor } from "../../../platform/access/actor.ts";
import { hashToken, newAccessToken, newOAuthSecret } from "../../../platform/credentials/credential.ts";
import type { ClientRow } from "./app.store.ts";
import type { LockedGrant } from "./grant.store.ts";
import { formatScopeList } from "./scope-list.ts";
import { accessSeconds, insertTokens } from "./token.store.ts";

/** The answer of the token endpoint. */
export interface TokenAnswer {
  access_token: string;
  token_type: "bearer";
  expires_in: number;
  refresh_token: string;
  scope: string;
}

export async function issueTokens(
  tx: Transaction,
  client: ClientRow,
  { grant, familyId, scopes }: { grant: LockedGrant; familyId: string; scopes: readonly Scope[] },
): Promise<TokenAnswer> {
  const access = newAccessToken("oauth");
  const refresh = newOAuthSecret("refresh");
  await insertTokens(tx, {
    familyId,
    grantId: grant.id,
    userId: grant.user_id,
    access: { id: newId("tok"), name: client.name, hash: hashToken(access), scopes },
    refreshHash: hashToken(refresh),
  });
  return {
    access_token: access,
    token_type: "bearer",
    expires_in: accessSeconds,
    refresh_token: refresh,
    scope: formatScopeList(scopes),
  };
}

/** The actor in the audit log: the user for whom the app acts. */
export function actorFor(grant: LockedGrant, request: NonNullable<Actor["request"]>): Actor {
  return { ...anonymousActor, kind: "user", userId: grant.user_id, username: grant.username, request };
}
