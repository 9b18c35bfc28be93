/** Made by `node scripts/generate-rows.ts` from the statements of tokens.store.ts; do not edit. */
import type { Scope } from "@forgeline/schemas/core/scopes.ts";

export interface TokensRows {
  insertToken: {
    id: string;
    name: string;
    scopes: Scope[];
    repository_ids: string[] | null;
    address_ranges: string[] | null;
    expires_at: Date | null;
    last_used_at: Date | null;
    created_at: Date;
  };
  countTokens: {
    total: number;
  };
  listTokens: {
    id: string;
    name: string;
    scopes: Scope[];
    repository_ids: string[] | null;
    address_ranges: string[] | null;
    expires_at: Date | null;
    last_used_at: Date | null;
    created_at: Date;
  };
  lockCreator: {
    scopes: Scope[];
    repository_ids: string[] | null;
    address_ranges: string[] | null;
    expires_at: Date | null;
    outlived: boolean;
  };
  findToken: {
    id: string;
    name: string;
    scopes: Scope[];
    repository_ids: string[] | null;
    address_ranges: string[] | null;
    expires_at: Date | null;
    last_used_at: Date | null;
    created_at: Date;
  };
  markRevoked: {
    id: string;
    name: string;
    scopes: Scope[];
    repository_ids: string[] | null;
    address_ranges: string[] | null;
    expires_at: Date | null;
    last_used_at: Date | null;
    created_at: Date;
  };
  revokeTokensOf: never;
  touchToken: never;
}
