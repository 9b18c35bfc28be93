/** Made by `node scripts/generate-rows.ts` from the statements of grant.store.ts; do not edit. */
import type { Scope } from "@forgeline/schemas/core/scopes.ts";

export interface GrantRows {
  countGrants: {
    total: number;
  };
  listGrants: {
    id: string;
    app_id: string;
    app_name: string;
    app_owner: string;
    scopes: Scope[];
    last_used_at: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  findGrant: {
    id: string;
    app_id: string;
    app_name: string;
    app_owner: string;
    scopes: Scope[];
    last_used_at: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  widenGrant: {
    id: string;
  };
  lockGrant: {
    id: string;
    app_id: string;
    user_id: string;
    username: string;
    suspended: boolean;
  };
  lockGrantsOfUser: {
    id: string;
  };
  lockGrantsOfApp: {
    id: string;
  };
  deleteTokensOfFamily: {
    id: string;
  };
  deleteTokensOfGrant: {
    id: string;
  };
  deleteTokensOfUser: {
    id: string;
  };
  deleteTokensOfApp: {
    id: string;
  };
  deleteFamily: never;
  deleteFamiliesOfGrant: never;
  deleteFamiliesOfUser: never;
  deleteFamiliesOfApp: never;
  deleteGrant: never;
  deleteCodesOfUser: never;
}
