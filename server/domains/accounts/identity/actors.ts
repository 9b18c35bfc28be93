/** Builds actors from the rows of their credentials. */
import { commonScopes, scopes, type Scope } from "@forgeline/schemas/core/scopes.ts";
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
    scopes: scopesOfJob(row),
    repositoryIds: [row.repository_id],
    job: {
      attemptId: row.attempt_id,
      repositoryId: row.repository_id,
      id: row.job_id,
      pipelineId: row.pipeline_id,
      name: row.job_name,
      mayWrite: row.may_write,
      isOfAdmin: row.is_of_admin,
      limit: row.token_limit ?? (asksToWrite(row) && !row.may_write ? lostRights : null),
    },
  };
}

const lostRights = "Whoever started this run, or ran it again, may not write to the repository now.";

function asksToWrite({ scopes: given }: JobTokenRow): boolean {
  return given.some((scope) => scope.endsWith(":write"));
}

/** Read at each use: with the right to write, the scopes to write are gone too. */
function scopesOfJob({ scopes: given, may_write: mayWrite }: JobTokenRow): Scope[] {
  if (mayWrite) return given;
  return commonScopes(given, ["repo:read", "pipeline:read"]);
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
