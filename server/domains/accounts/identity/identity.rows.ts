/** Made by `node scripts/generate-rows.ts` from the statements of identity.store.ts; do not edit. */
import type { Scope } from "@forgeline/schemas/core/scopes.ts";

export interface IdentityRows {
  findAccessToken: {
    token_id: string;
    user_id: string;
    username: string;
    user_type: "bot" | "user";
    is_admin: boolean;
    scopes: Scope[];
    bot_scopes: Scope[] | null;
    repository_ids: string[] | null;
    address_ranges: string[] | null;
    ms_left: number | null;
  };
  findAccessTokenById: {
    token_id: string;
    user_id: string;
    username: string;
    user_type: "bot" | "user";
    is_admin: boolean;
    scopes: Scope[];
    bot_scopes: Scope[] | null;
    repository_ids: string[] | null;
    address_ranges: string[] | null;
    ms_left: number | null;
  };
  findJobToken: {
    attempt_id: string;
    repository_id: string;
    user_id: string | null;
    is_of_admin: boolean;
    job_id: string;
    pipeline_id: string;
    username: string;
    scopes: Scope[];
    token_limit: string | null;
    job_name: string;
    may_write: boolean | null;
  };
  findJobByAttempt: {
    attempt_id: string;
    repository_id: string;
    user_id: string | null;
    is_of_admin: boolean;
    job_id: string;
    pipeline_id: string;
    username: string;
    scopes: Scope[];
    token_limit: string | null;
    job_name: string;
    may_write: boolean | null;
  };
  findSessionHolder: {
    session_id: string;
    user_id: string;
    username: string;
    is_admin: boolean;
    stale: boolean;
  };
  findSessionById: {
    session_id: string;
    user_id: string;
    username: string;
    is_admin: boolean;
    stale: boolean;
  };
}
