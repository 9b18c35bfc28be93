/** Builds actors from the rows of their credentials. */
import { commonScopes, scopes } from "@forgeline/schemas/core/scopes.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { JobTokenRow, SessionHolderRow, TokenRow } from "./identity.store.ts";

const nothing = { tokenId: null, sessionId: null, repositoryIds: null, job: null, request: null } as const;

export function actorOfToken(row: TokenRow): Actor {
  return {
    ...nothing,
    kind: row.user_type,
    userId: row.user_id,
    username: row.username,
    isAdmin: row.is_admin,
    scopes: row.bot_scopes ? commonScopes(row.scopes, row.bot_scopes) : row.scopes,
    tokenId: row.token_id,
    repositoryIds: row.repository_ids,
  };
}

export function actorOfJob(row: JobTokenRow): Actor {
  return {
    ...nothing,
    kind: "job",
    userId: row.user_id,
    username: row.username,
    isAdmin: false,
    scopes: ["repo:read"],
    repositoryIds: [row.repository_id],
    job: { attemptId: row.attempt_id, repositoryId: row.repository_id },
  };
}

export function actorOfSession(row: SessionHolderRow): Actor {
  return {
    ...nothing,
    kind: "user",
    userId: row.user_id,
    username: row.username,
    isAdmin: row.is_admin,
    scopes,
    sessionId: row.session_id,
  };
}
