/** Made by `node scripts/generate-rows.ts` from the statements of token.store.ts; do not edit. */
import type { Scope } from "@forgeline/schemas/core/scopes.ts";

export interface TokenRows {
  insertCode: never;
  grantOfCode: {
    grant_id: string;
  };
  readCode: {
    redirect_uri: string;
    scopes: Scope[];
    challenge: string | null;
    expired: boolean;
    used: boolean;
    family_id: string | null;
  };
  markCodeUsed: never;
  insertFamily: {
    id: string;
  };
  deleteExpiredTokens: never;
  insertAccessToken: never;
  insertRefreshToken: never;
  extendFamily: never;
  touchGrant: never;
  grantOfRefreshToken: {
    grant_id: string;
  };
  readRefreshToken: {
    family_id: string;
    scopes: Scope[];
    expired: boolean;
    used: boolean;
  };
  markRefreshTokenUsed: never;
  grantOfAccessToken: {
    grant_id: string;
  };
  deleteAccessToken: {
    id: string;
  };
}
