/** The services of OAuth, made together. */
import type { Database } from "../../../platform/db/database.ts";
import { createOAuthAppService, type OAuthAppService } from "./apps.ts";
import { createConsentService, type ConsentService } from "./consent.ts";
import { createGrantService, type GrantService } from "./grants.ts";
import { createOAuthTokenService, type OAuthTokenService } from "./tokens.ts";

export interface OAuthServices {
  grants: GrantService;
  oauthApps: OAuthAppService;
  oauthTokens: OAuthTokenService;
  consent: ConsentService;
}

/** `issuer`: `https://HOST`, as apps know this server. */
export function createOAuth(deps: { db: Database; issuer: string }): OAuthServices {
  const grants = createGrantService(deps.db);
  return {
    grants,
    oauthApps: createOAuthAppService({ db: deps.db, grants }),
    oauthTokens: createOAuthTokenService(deps.db),
    consent: createConsentService(deps),
  };
}
